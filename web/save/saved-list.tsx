import type { JSX } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import type { ItemNews } from '../data/records.ts';
import { Do, useTell, useWrite } from '../parts/writing.tsx';
import { Thing } from '../parts/things.tsx';
import { text } from '../text.ts';
import { discardShare, keptShares, sendShares, type Share } from '../kept/offline.ts';
import { useStore } from '../data/store.ts';
import { type Entry, isUnderWay } from './desk.ts';
import { useDesk } from './desk-provider.tsx';
import { canRetry, headingOf } from '../items/item-facts.ts';

/** Entries that are drawn. */
const maxShown = 60;

/** How far what was saved in this window is, in one sentence for whoever hears it. */
export function SavedStatus(): JSX.Element {
  const { entries, news } = useDesk();
  const count = (is: (entry: Entry) => boolean): number => entries.filter(is).length;
  const ready = count(({ id }) => news.get(id ?? '')?.status === 'completed');
  const failed = count(({ id, state }) => state === 'refused' || news.get(id ?? '')?.status === 'failed');
  return (
    <p class="unseen" role="status">
      {entries.length > 0 &&
        `${text.number(ready)} of ${text.number(entries.length)} ready to read${failed === 0 ? '' : `, ${text.number(failed)} failed`}`}
    </p>
  );
}

/** What was saved in this window, and how far it is. */
export function SavedList(): JSX.Element | null {
  const { entries } = useDesk();
  if (entries.length === 0) return null;
  return (
    <section class="saved" aria-labelledby="saved-title">
      <h2 id="saved-title">Just saved</h2>
      <ul class="listed">
        {entries.slice(0, maxShown).map((entry) => (
          <SavedEntry key={entry.key} entry={entry} />
        ))}
      </ul>
      {entries.length > maxShown && <p class="soft">and {text.number(entries.length - maxShown)} more</p>}
    </section>
  );
}

function SavedEntry({ entry }: { entry: Entry }): JSX.Element {
  const desk = useDesk();
  const { key, name, state, sent, id, outcome, problem } = entry;
  if (state === 'refused')
    return (
      <Thing title={name} does={<Do label="Try again" of={name} run={() => desk.retry(key)} />}>
        <p class="words">{problem || 'Not saved.'}</p>
      </Thing>
    );
  if (state !== 'saved') {
    const sending = sent > 0 ? `Sending, ${Math.round(100 * sent)} %` : 'Loading…';
    return <Thing title={name} facts={[state === 'waiting' ? 'Waits to be sent' : sending]} />;
  }
  const news = id === undefined ? undefined : desk.news.get(id);
  const remark = outcome === 'existed' ? `It was saved already, ${text.day(entry.createdAt ?? '')}.` : '';
  return (
    <Item
      id={id ?? ''}
      name={news?.title ?? name}
      news={news}
      remark={outcome === 'restored' ? 'It was in the trash, and is back.' : remark}
      isKnownPage={outcome === 'existed' && entry.isPage}
    />
  );
}

/** Others that are processed, for example because an assistant saved them. */
export function OthersUnderWay({ pending }: { pending: number }): JSX.Element | null {
  const { entries, news } = useDesk();
  const own = new Set(entries.map(({ id }) => id));
  const others = [...news.values()].filter((item) => isUnderWay(item) && !own.has(item.id)).slice(0, 8);
  if (others.length === 0) return null;
  const hidden = pending - others.length;
  return (
    <section class="saved" aria-labelledby="others-title">
      <h2 id="others-title">Also under way</h2>
      <ul class="listed">
        {others.map((item) => (
          <Item key={item.id} id={item.id} name={headingOf(item)} news={item} />
        ))}
      </ul>
      {hidden > 0 && <p class="soft">and {text.number(hidden)} more</p>}
    </section>
  );
}

interface ItemParts {
  id: string;
  name: string;
  news: ItemNews | undefined;
  remark?: string;
  /** Its page may be fetched again. */
  isKnownPage?: boolean | undefined;
}

function Item({ id, name, news, remark, isKnownPage = false }: ItemParts): JSX.Element {
  const hasFailed = news?.status === 'failed';
  return (
    <Thing
      title={<a href={`/app/read/${id}`}>{name}</a>}
      facts={[remark]}
      does={
        news !== undefined && canRetry(news) ? (
          <Do label="Try again" of={name} run={['retry_item', { id }, 'Queued again.']} />
        ) : (
          isKnownPage &&
          news?.status === 'completed' && (
            <Do label="Fetch the page again" of={name} run={['refresh_content', { ids: [id] }, text.items.refreshed]} />
          )
        )
      }
    >
      {hasFailed ? (
        <p class="words">{text.problems.words(news.failure?.message ?? 'Could not be read')}</p>
      ) : (
        <Steps news={news} />
      )}
    </Thing>
  );
}

const stages = ['fetch', 'extract', 'split', 'embed', 'analyse'] as const;

/** How far an item is: how many of its steps are done, and in words. */
export function Steps({ news }: { news: ItemNews | undefined }): JSX.Element {
  const done =
    news?.status === 'completed'
      ? stages.length
      : news?.progress === undefined
        ? 0
        : stages.indexOf(news.progress.stage);
  const words = wordsOf(news);
  return (
    <p class="steps soft">
      <progress aria-label="Steps that are done" aria-valuetext={words} max={stages.length} value={done} />
      {words}
    </p>
  );
}

function wordsOf(news: ItemNews | undefined): string {
  if (news?.status === 'completed') return 'Ready to read';
  if (news?.failure !== undefined) return `Waits to be tried again. ${text.problems.words(news.failure.message)}`;
  if (news?.progress === undefined) return 'Waiting for its turn';
  return text.library.progress(news.status, news.progress.stage, news.url);
}

/** What was shared while it could not be saved. Any site can bring that about, so it is saved after a press alone. */
export function KeptShares(): JSX.Element | null {
  const { accountId } = useStore().start;
  const tell = useTell();
  const write = useWrite();
  const [shares, setShares] = useState<Share[]>([]);
  const [refused, setRefused] = useState<Record<string, string>>({});
  const [isSending, setSending] = useState(false);
  const look = (): Promise<void> => keptShares(accountId).then(setShares);
  useEffect(() => {
    if ('caches' in globalThis) void look().catch(() => undefined);
  }, []);
  if (shares.length === 0) return null;

  const save = async (): Promise<void> => {
    setSending(true);
    try {
      const sent = await sendShares(accountId);
      setRefused(sent.refused);
      const undo = (): void => {
        for (const id of sent.undo) void write('undo', { id }, text.undoneOrNot);
      };
      if (sent.saved > 0) tell({ message: text.save.shared(sent.saved), ...(sent.undo.length > 0 && { undo }) });
      else if (sent.isAway) tell({ message: text.kept.shared });
      await look();
    } finally {
      setSending(false);
    }
  };
  return (
    <section class="saved" aria-labelledby="shares-title">
      <h2 id="shares-title">Shared, not saved yet</h2>
      <p class="soft">
        This came while the server did not answer, or nobody was signed in. Other sites can send such things, too: look
        whether it is yours.
      </p>
      <ul class="listed">
        {shares.map(({ address, form }) => {
          const name = nameOf(form);
          const discard = (): unknown => discardShare(address).then(look);
          return (
            <Thing key={address} title={name} does={<Do label="Discard" of={name} run={discard} />}>
              {address in refused && <p class="words">{refused[address] || 'Not saved.'}</p>}
            </Thing>
          );
        })}
      </ul>
      <Do class="button quiet" label="Save all of it" disabled={isSending} run={save} />
    </section>
  );
}

function nameOf(form: FormData): string {
  const words = [...form.values()].map((value) => (typeof value === 'string' ? value : value.name).trim());
  return words.filter(Boolean).join(' · ').slice(0, 200);
}
