import { render, type JSX } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { ask, type Seen } from './messages.ts';
import type { Fate } from './outbox.ts';
import { chosenTags, suggestedTags, withTag } from './tag-words.ts';

/* The small window at the button: it says whether the page is saved, and saves it. */

type Step = 'reading' | 'sending' | Fate | { state: 'failed'; message: string };

/** The tab that the panel was opened on. Tests name one, and open the panel as a page. */
async function tabOf(): Promise<number> {
  const named = new URLSearchParams(location.search).get('tab');
  if (named !== null) {
    document.body.style.width = 'auto';
    return Number(named);
  }
  const [tab] = await chrome.tabs.query({ active: true, currentWindow: true });
  return tab?.id ?? -1;
}

function Panel(): JSX.Element {
  const [tabId, setTab] = useState(-1);
  const [seen, setSeen] = useState<Seen | null>(null);
  const [waiting, setWaiting] = useState(0);
  const [step, setStep] = useState<Step | null>(null);
  const count = async (): Promise<void> => setWaiting((await ask('list', {})).length);
  useEffect(() => {
    void (async () => {
      const tab = await tabOf();
      setTab(tab);
      void count();
      setSeen(await ask('see', { tabId: tab }));
    })();
  }, []);

  const save = async (tags: string[], notes: string, highlight: boolean): Promise<void> => {
    try {
      setStep('reading');
      const { id, isTooLarge } = await ask('keep', { tabId, tags, notes, highlight });
      setStep('sending');
      const fate = await ask('send', { id });
      const isPart = isTooLarge && fate?.state === 'saved';
      setStep(isPart ? { state: 'failed', message: 'Only the address was sent: the page is too large.' } : fate);
    } catch (error) {
      setStep({ state: 'failed', message: error instanceof Error ? error.message : String(error) });
    }
    await count();
  };

  return (
    <>
      {seen === null ? <p role="status">Looking at the page …</p> : <Page seen={seen} step={step} save={save} />}
      <p class="foot soft">
        <span>{waiting > 0 && `${waiting} ${waiting === 1 ? 'save waits' : 'saves wait'} to be sent.`}</span>
        <a
          href="options.html"
          onClick={(event) => {
            event.preventDefault();
            void chrome.runtime.openOptionsPage();
          }}
        >
          Options
        </a>
      </p>
    </>
  );
}

interface PageParts {
  seen: Seen;
  step: Step | null;
  save: (tags: string[], notes: string, highlight: boolean) => Promise<void>;
}

function Page({ seen: { page, known, problem }, step, save }: PageParts): JSX.Element {
  const item = known?.item ?? null;
  const [tags, setTags] = useState(item?.tags.join(', ') ?? '');
  const [notes, setNotes] = useState(item?.notes ?? '');
  const [highlight, setHighlight] = useState(true);
  if (page === null) return <p role="status">The browser lets no extension read this page.</p>;
  const isBusy = step === 'reading' || step === 'sending';
  const day = item === null ? null : new Date(item.savedAt).toLocaleDateString(undefined, { dateStyle: 'long' });
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        void save(chosenTags(tags), notes, highlight);
      }}
    >
      <h1>{page.title || page.url}</h1>
      {day !== null && <p role="status">Already saved on {day}.</p>}
      {problem !== null && (
        <p class="problem" role="status">
          {problem.message}{' '}
          {problem.why === 'unreachable' ? 'What you save waits in this browser.' : 'See the options.'}
        </p>
      )}
      {page.isPdf && <p class="soft">A PDF. Where the browser gives its bytes, they are sent; else its address.</p>}
      {page.selection !== '' && (
        <>
          <blockquote>{page.selection}</blockquote>
          <label class="choice">
            <input type="checkbox" checked={highlight} onChange={() => setHighlight(!highlight)} />
            <span>Highlight these words</span>
          </label>
        </>
      )}
      <label>
        <span>Tags, with commas</span>
        <input value={tags} autocomplete="off" onInput={({ currentTarget }) => setTags(currentTarget.value)} />
      </label>
      <div class="tags">
        {suggestedTags(tags, known?.tags ?? []).map((tag) => (
          <button type="button" class="quiet" key={tag} onClick={() => setTags(withTag(tags, tag))}>
            {tag}
          </button>
        ))}
      </div>
      <label>
        <span>Note</span>
        <textarea value={notes} maxlength={4_000} onInput={({ currentTarget }) => setNotes(currentTarget.value)} />
      </label>
      <button class="wide" disabled={isBusy}>
        {item === null ? 'Save this page' : 'Save it again'}
      </button>
      {isBusy && <progress aria-label="Saving" />}
      <p role="status" class={isBad(step) ? 'problem' : ''}>
        {stepWords(step, problem !== null)}
      </p>
    </form>
  );
}

function isBad(step: Step | null): boolean {
  return typeof step === 'object' && step !== null && (step.state === 'refused' || step.state === 'failed');
}

/** @param isKnown the panel says already why the library cannot be reached */
function stepWords(step: Step | null, isKnown: boolean): string {
  if (step === null) return '';
  if (step === 'reading') return 'Reading the page …';
  if (step === 'sending') return 'Sending it …';
  if (step.state === 'saved') return 'Saved.';
  if (step.state === 'waiting') return `Kept in this browser. ${isKnown ? '' : step.message}`;
  return step.message;
}

render(<Panel />, document.querySelector('#content') as HTMLElement);
