import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import { useDraft } from '../kept/use-draft.ts';
import { useWrite } from '../parts/use-write.ts';
import { text } from '../text.ts';

/** Files that hold what a page says. */
const readable = /\.(?:html?|xhtml|txt|md|markdown)$/i;

/** Takes the text of a page that the server could not read: pasted, or as a file that is dropped. It is read in place of the page. */
export function GiveText({ url }: { url: string }): JSX.Element {
  const write = useWrite();
  const [typed, setTyped, forget] = useDraft(`text ${url}`, '');
  const [problem, setProblem] = useState('');
  const give = async (content: { text: string } | { html: string }): Promise<void> => {
    const saved = await write({ operation: 'save_content', input: { url, ...content }, done: text.problems.given });
    if (saved !== null) forget();
  };
  const drop = async (event: DragEvent): Promise<void> => {
    const file = event.dataTransfer?.files[0];
    if (file === undefined) return;
    event.preventDefault();
    setProblem(readable.test(file.name) ? '' : text.problems.notReadable);
    if (!readable.test(file.name)) return;
    const content = await file.text();
    await give(/html?$/i.test(file.name) ? { html: content } : { text: content });
  };
  return (
    <form
      class="give-text"
      onDragOver={(event) => event.preventDefault()}
      onDrop={(event) => void drop(event)}
      onSubmit={(event) => {
        event.preventDefault();
        if (typed.trim() !== '') void give({ text: typed });
      }}
    >
      <label class="field">
        <span>{text.problems.giveText}</span>
        <textarea rows={4} value={typed} onInput={(event) => setTyped(event.currentTarget.value)} />
      </label>
      <p role="alert">{problem}</p>
      <button class="button quiet">{text.problems.useText}</button>
    </form>
  );
}
