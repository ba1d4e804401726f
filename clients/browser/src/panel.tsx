import { render, type JSX } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { ask, type Seen } from './messages.ts';
import type { Fate } from './outbox.ts';
import type { Save } from './save.ts';
import { chosenTags, suggestedTags, withTag } from './tag-words.ts';

/* The small window at the button: it says whether the page is saved, and saves it. */

type Step = 'reading' | 'sending' | Fate | { state: 'failed'; message: string };

/** The tab that the panel was opened on. */
async function tabOf(): Promise<number> {
  const [tab] = await chrome.tabs.query({ active: true, currentWindow: true });
  return tab?.id ?? -1;
}

function Panel(): JSX.Element {
  const [tabId, setTab] = useState(-1);
  const [seen, setSeen] = useState<Seen | null>(null);
  const [kept, setKept] = useState<Save[]>([]);
  const [step, setStep] = useState<Step | null>(null);
  const list = async (): Promise<void> => setKept(await ask('list', {}));
  useEffect(() => {
    void (async () => {
      const tab = await tabOf();
      setTab(tab);
      void list();
      setSeen(await ask('see', { tabId: tab }));
    })();
  }, []);

  const save = async (tags: string[], notes: string, isLater: boolean, highlight: boolean): Promise<void> => {
    try {
      setStep('reading');
      const { id, isTooLarge } = await ask('keep', { tabId, tags, notes, isLater, highlight });
      setStep('sending');
      const fate = await ask('send', { id });
      const isPart = isTooLarge && fate?.state === 'saved';
      setStep(isPart ? { state: 'failed', message: 'Only the address was sent: the page is too large.' } : fate);
    } catch (error) {
      setStep({ state: 'failed', message: error instanceof Error ? error.message : String(error) });
    }
    await list();
  };

  return (
    <>
      {seen === null ? <p role="status">Looking at the page …</p> : <Page seen={seen} step={step} save={save} />}
      <p class="foot soft">
        <span>{keptWords(kept)}</span>
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

function keptWords(kept: readonly Save[]): string {
  const refused = kept.filter((save) => save.refused !== null).length;
  const waiting = kept.length - refused;
  return [
    waiting > 0 ? `${waiting} ${waiting === 1 ? 'save waits' : 'saves wait'} to be sent.` : '',
    refused > 0 ? `${refused} ${refused === 1 ? 'save was' : 'saves were'} refused: see the options.` : '',
  ].join(' ');
}

interface PageParts {
  seen: Seen;
  step: Step | null;
  save: (tags: string[], notes: string, isLater: boolean, highlight: boolean) => Promise<void>;
}

function Page({ seen: { page, known, problem }, step, save }: PageParts): JSX.Element {
  const item = known?.item ?? null;
  const [tags, setTags] = useState('');
  const [notes, setNotes] = useState('');
  const [isLater, setLater] = useState(false);
  const [highlight, setHighlight] = useState(true);
  if (page === null) return <p role="status">The browser lets no extension read this page.</p>;
  const isBusy = step === 'reading' || step === 'sending';
  const ownTags = item?.tags ?? [];
  const otherTags = known?.tags.filter((tag) => !ownTags.includes(tag)) ?? [];
  const day = item === null ? null : new Date(item.savedAt).toLocaleDateString(undefined, { dateStyle: 'long' });
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        void save(chosenTags(tags), notes, isLater, highlight);
      }}
    >
      <h1>{page.title || page.url}</h1>
      {day !== null && <p role="status">Already saved on {day}.</p>}
      {ownTags.length > 0 && <p class="soft">Tags: {ownTags.join(', ')}</p>}
      {item?.notes && (
        <>
          <p class="soft">Note:</p>
          <blockquote>{item.notes}</blockquote>
        </>
      )}
      {problem !== null && (
        <p class="problem" role="status">
          {problem.message}{' '}
          {problem.why === 'unreachable' ? 'What you save waits in this browser.' : 'See the options.'}
        </p>
      )}
      {page.sends === 'address' && <p class="soft">The extension cannot read this page: only its address is saved.</p>}
      {page.sends === 'pdf' && (
        <p class="soft">A PDF. Where the browser gives its bytes, they are sent; else its address.</p>
      )}
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
        <span>{ownTags.length > 0 ? 'More tags, with commas' : 'Tags, with commas'}</span>
        <input value={tags} autocomplete="off" onInput={({ currentTarget }) => setTags(currentTarget.value)} />
      </label>
      <div class="tags">
        {suggestedTags(tags, otherTags).map((tag) => (
          <button type="button" class="quiet" key={tag} onClick={() => setTags(withTag(tags, tag))}>
            {tag}
          </button>
        ))}
      </div>
      <label>
        <span>{item?.notes ? 'New note, in place of that one' : 'Note'}</span>
        <textarea value={notes} maxlength={4_000} onInput={({ currentTarget }) => setNotes(currentTarget.value)} />
      </label>
      <label class="choice">
        <input type="checkbox" checked={isLater} onChange={() => setLater(!isLater)} />
        <span>Keep it for later</span>
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
