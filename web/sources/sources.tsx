import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import { bindTo, useDraft } from '../kept/use-draft.ts';
import { Facts, SureButton, Waiting } from '../parts/elements.tsx';
import { useWrite } from '../parts/use-write.ts';
import { safeAddress } from '../reading/inline-view.tsx';
import type { List, Source, ShownEntry } from '../records.ts';
import { useAnswer } from '../store.ts';
import { text } from '../text.ts';
import { sourcesInput } from '../views.ts';

/** What brings items by itself: followed, looked at, changed and stopped here. */
export function Sources(): JSX.Element {
  const { answer, error } = useAnswer<List<Source>>('list_sources', sourcesInput);
  return (
    <>
      <h1>{text.views.sources}</h1>
      <p class="intro soft">{text.sources.intro}</p>
      <FollowForm />
      {answer === undefined ? (
        <Waiting error={error} />
      ) : (
        <ul class="listed">
          {answer.items.map((source) => (
            <SourceRow key={source.id} source={source} />
          ))}
        </ul>
      )}
    </>
  );
}

function SourceRow({ source }: { source: Source }): JSX.Element {
  const write = useWrite();
  const [shown, setShown] = useState<'entries' | 'form' | null>(null);
  const { id, name, kind, address, state, everyMinutes, items, unread, headlines, problem } = source;
  const { checkedAt, changedAt, nextCheckAt } = source;
  const hasItems = kind !== 'pages';
  const isActive = state === 'active';
  const toggle = (part: 'entries' | 'form') => () => setShown(shown === part ? null : part);
  return (
    <li class="goal">
      <h2 dir="auto">{name}</h2>
      <Facts
        of={[
          text.sources.kinds[kind],
          everyMinutes !== null && text.sources.every(everyMinutes),
          hasItems && text.counted(items, 'item'),
          unread > 0 && text.sources.unread(unread),
          headlines > 0 && text.sources.headlines(headlines),
          changedAt !== null && text.sources.changed(text.day(changedAt)),
          checkedAt !== null && text.sources.lastChecked(text.minute(checkedAt)),
          isActive && nextCheckAt !== null && text.sources.nextCheck(text.minute(nextCheckAt)),
          !isActive && text.sources.states[state],
        ]}
      />
      {address !== name && (
        <p class="soft" dir="ltr">
          {safeAddress(address, null) === null ? address : <a href={address}>{address}</a>}
        </p>
      )}
      {problem !== null && <p class="problem">{text.problems.words(problem.message)}</p>}
      <p class="do">
        {hasItems && (
          <button type="button" aria-expanded={shown === 'entries'} onClick={toggle('entries')}>
            {headlines > 0 ? text.sources.headlinesShown : text.sources.entries}
          </button>
        )}
        <button type="button" aria-expanded={shown === 'form'} onClick={toggle('form')}>
          {text.goals.editShort}
        </button>
        {isActive && (
          <button
            type="button"
            onClick={() => void write({ operation: 'check_source', input: { id }, done: text.sources.checked })}
          >
            {text.sources.check}
          </button>
        )}
        <button
          type="button"
          onClick={() => {
            const next = isActive ? 'paused' : 'active';
            void write({ operation: 'update_source', input: { id, state: next }, done: text.sources.nowStates[next] });
          }}
        >
          {isActive ? text.sources.pause : text.sources.resume}
        </button>
        <SureButton
          label={text.sources.removeShort}
          name={text.sources.remove(name)}
          onSure={() => void write({ operation: 'delete_source', input: { id }, done: text.sources.removed })}
        />
      </p>
      {shown === 'entries' && <Entries source={source} />}
      {shown === 'form' && <SourceForm source={source} onDone={() => setShown(null)} />}
    </li>
  );
}

/** What a source offered lately; headlines become items here. */
function Entries({ source: { id, headlines } }: { source: Source }): JSX.Element {
  const write = useWrite();
  const { answer, error } = useAnswer<Pick<List<ShownEntry>, 'items'>>('list_source_entries', {
    id,
    limit: 50,
    ...(headlines > 0 && { state: 'headline' }),
  });
  if (answer === undefined) return <Waiting error={error} />;
  if (answer.items.length === 0) return <p class="soft">{text.sources.noEntries}</p>;
  return (
    <ul class="listed">
      {answer.items.map(({ key, title, address, state, contentId, publishedAt, seenAt }) => (
        <li key={key}>
          <h3 dir="auto">
            {contentId === null ? (
              (title ?? address ?? key)
            ) : (
              <a href={`/app/read/${contentId}`}>{title ?? address ?? key}</a>
            )}
          </h3>
          <Facts
            of={[text.day(publishedAt ?? seenAt), contentId === null && state !== 'headline' && text.sources.left]}
          />
          {contentId === null && address !== null && (
            <p class="do">
              <button
                type="button"
                aria-label={text.sources.openOf(title ?? address)}
                onClick={() =>
                  void write({ operation: 'open_source_entry', input: { id, key }, done: text.sources.opened })
                }
              >
                {text.sources.open}
              </button>
            </p>
          )}
        </li>
      ))}
    </ul>
  );
}

function FollowForm(): JSX.Element {
  const write = useWrite();
  const [draft, setDraft, forget] = useDraft('follow', { address: '' });
  const field = bindTo(draft, setDraft);
  const keep = async (event: Event): Promise<void> => {
    event.preventDefault();
    const address = draft.address.trim();
    if (address === '') return;
    const kept = await write({
      operation: 'follow',
      input: { address },
      done: ({ isKnown }: { isKnown?: boolean }) => (isKnown ? text.sources.isKnown : text.sources.followed),
    });
    if (kept !== null) forget();
  };
  return (
    <form class="goal-form" aria-label={text.sources.follow} onSubmit={(event) => void keep(event)}>
      <label class="field">
        <span>{text.sources.address}</span>
        <input type="text" inputmode="url" required dir="ltr" placeholder="https://…" {...field('address')} />
      </label>
      <p class="buttons">
        <button class="button">{text.sources.follow}</button>
      </p>
    </form>
  );
}

const partsOf = (words: string): string[] => words.split(',').flatMap((word) => word.trim() || []);

/** Changes what a person chose for a source; feeds have more to choose. */
function SourceForm({ source, onDone }: { source: Source; onDone: () => void }): JSX.Element {
  const write = useWrite();
  const { id, kind, name, options, everyMinutes } = source;
  const [draft, setDraft, forget] = useDraft(`source ${id}`, {
    name,
    tags: (options.tags ?? []).join(', '),
    only: (options.only ?? []).join(', '),
    without: (options.without ?? []).join(', '),
    keepUnread: String(options.keepUnread || ''),
    keepDays: String(options.keepDays || ''),
    hours: everyMinutes === null ? '' : String(everyMinutes / 60),
    take: options.take ?? 'everything',
  });
  const field = bindTo(draft, setDraft);
  const hasWords = kind === 'feed' || kind === 'mailbox';
  const keep = async (event: Event): Promise<void> => {
    event.preventDefault();
    const ofFeed = kind === 'feed' && {
      keepUnread: Number(draft.keepUnread),
      keepDays: Number(draft.keepDays),
      take: draft.take,
    };
    const input = {
      id,
      name: draft.name,
      tags: partsOf(draft.tags),
      everyMinutes: Math.round(Number(draft.hours) * 60),
      ...(hasWords && { only: partsOf(draft.only), without: partsOf(draft.without) }),
      ...ofFeed,
    };
    const kept = await write({ operation: 'update_source', input, done: text.sources.kept });
    if (kept === null) return;
    forget();
    onDone();
  };
  const words = (of: 'name' | 'tags' | 'only' | 'without') => (
    <label class="field">
      <span>{text.sources.fields[of]}</span>
      <input type="text" dir="auto" required={of === 'name'} maxlength={1_000} {...field(of)} />
    </label>
  );
  const number = (of: 'hours' | 'keepUnread' | 'keepDays') => (
    <label class="field">
      <span>{text.sources.fields[of]}</span>
      <input type="number" min={0} step={of === 'hours' ? 'any' : 1} {...field(of)} />
    </label>
  );
  return (
    <form class="goal-form" aria-label={text.sources.edit(name)} onSubmit={(event) => void keep(event)}>
      {words('name')}
      {kind !== 'pages' && words('tags')}
      {number('hours')}
      {hasWords && (
        <details>
          <summary>{text.sources.choose}</summary>
          {kind === 'feed' && (
            <label class="field">
              <span>{text.sources.fields.take}</span>
              <select {...field('take')}>
                <option value="everything">{text.sources.takes.everything}</option>
                <option value="headlines">{text.sources.takes.headlines}</option>
              </select>
            </label>
          )}
          {words('only')}
          {words('without')}
          {kind === 'feed' && number('keepUnread')}
          {kind === 'feed' && number('keepDays')}
        </details>
      )}
      <p class="buttons">
        <button class="button">{text.goals.keep}</button>
        <button type="button" class="button quiet" onClick={() => (forget(), onDone())}>
          {text.goals.cancel}
        </button>
      </p>
    </form>
  );
}
