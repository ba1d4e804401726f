import type { JSX } from 'preact';
import { useTell } from '../parts/toast.tsx';
import { text } from '../text.ts';

/** Text to take elsewhere, with a button that copies it. @param name what it is, for whoever cannot see it */
export function Copied({ content, name }: { content: string; name: string }): JSX.Element {
  const tell = useTell();
  return (
    <div class="copied">
      <pre tabindex={0} aria-label={name}>
        <code>{content}</code>
      </pre>
      <button
        type="button"
        class="button quiet"
        aria-label={text.settings.copyNamed(name)}
        onClick={() =>
          void navigator.clipboard.writeText(content).then(
            () => tell({ message: text.settings.copied }),
            // Without permission the text can still be selected.
            () => undefined,
          )
        }
      >
        {text.settings.copy}
      </button>
    </div>
  );
}
