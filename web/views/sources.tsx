import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import { Do } from '../parts/writing.tsx';
import { Field, Form } from '../parts/form.tsx';
import { Listed, Thing } from '../parts/things.tsx';
import { safeAddress } from '../reading/inline-view.tsx';
import { rhythmWords } from '../../src/domain/clock.ts';
import type { ShownEntry, Source } from '../data/records.ts';
import { text } from '../text.ts';
import { sourcesInput } from '../views.ts';

const kinds = { feed: 'Feed', pages: 'Pages fetched again', folder: 'Folder', mailbox: 'Letters' };
const takes = Object.entries({ everything: 'Everything', headlines: 'Headlines, until I open one' });

/** What brings items by itself: followed, looked at, changed and stopped here. */
export function Sources(): JSX.Element {
  return (
    <>
      <p class="intro soft">
        What brings items by itself: feeds of sites, channels and podcasts, folders of your own, letters, and saved
        pages that are fetched again from time to time. New entries and letters come to your inbox, files of a folder to
        the archive.
      </p>
      <Form
        label="Follow"
        name="follow"
        first={{ address: '' }}
        fields={(bind) => (
          <Field
            label="A feed, or a page that has one: a blog, a channel, a podcast"
            inputmode="url"
            required
            dir="ltr"
            placeholder="https://…"
            {...bind('address')}
          />
        )}
        button="Follow"
        send={({ address }) => [
          'follow',
          { address: address.trim() },
          ({ isKnown }: { isKnown?: boolean }) =>
            isKnown ? 'You follow it already.' : 'Followed. The newest entries are being saved.',
        ]}
      />
      <Listed<Source>
        operation="list_sources"
        inputOf={() => sourcesInput}
        draw={(source) => <SourceRow key={source.id} source={source} />}
      />
    </>
  );
}

function SourceRow({ source }: { source: Source }): JSX.Element {
  const [shown, setShown] = useState<'entries' | 'form' | null>(null);
  const { id, name, kind, address, state, everyMinutes, items, unread, headlines, problem } = source;
  const { checkedAt, changedAt, nextCheckAt } = source;
  const hasItems = kind !== 'pages';
  const isActive = state === 'active';
  const next = isActive ? 'paused' : 'active';
  const toggle = (part: 'entries' | 'form', label: string): JSX.Element => (
    <Do label={label} of={name} aria-expanded={shown === part} run={() => setShown(shown === part ? null : part)} />
  );
  return (
    <Thing
      heading="h2"
      title={name}
      facts={[
        kinds[kind],
        everyMinutes !== null && rhythmWords(everyMinutes),
        hasItems && text.counted(items, 'item'),
        unread > 0 && `${text.number(unread)} unread`,
        headlines > 0 && text.counted(headlines, 'headline'),
        changedAt !== null && `something new on ${text.day(changedAt)}`,
        checkedAt !== null && `checked ${text.minute(checkedAt)}`,
        isActive && nextCheckAt !== null && `next check ${text.minute(nextCheckAt)}`,
        !isActive && state,
      ]}
    >
      {address !== name && (
        <p class="soft" dir="ltr">
          {safeAddress(address, null) === null ? address : <a href={address}>{address}</a>}
        </p>
      )}
      {problem !== null && <p class="problem">{text.problems.words(problem.message)}</p>}
      <p class="do">
        {hasItems && toggle('entries', headlines > 0 ? 'Headlines' : 'Entries')}
        {toggle('form', 'Edit')}
        {isActive && <Do label="Check now" of={name} run={['check_source', { id }, 'It is being checked.']} />}
        <Do
          label={isActive ? 'Pause' : 'Resume'}
          of={name}
          run={['update_source', { id, state: next }, isActive ? 'Paused.' : 'It goes on, and is checked now.']}
        />
        <Do
          label="Remove"
          of={name}
          sure="Sure?"
          run={['delete_source', { id }, 'No longer followed. Its items stay.']}
        />
      </p>
      {shown === 'entries' && <Entries source={source} />}
      {shown === 'form' && <SourceForm source={source} onDone={() => setShown(null)} />}
    </Thing>
  );
}

/** What a source offered lately; headlines become items here. */
function Entries({ source: { id, headlines } }: { source: Source }): JSX.Element {
  return (
    <Listed<ShownEntry>
      operation="list_source_entries"
      inputOf={(offset) => ({ id, limit: 50, offset, ...(headlines > 0 && { state: 'headline' }) })}
      empty="It has offered nothing yet."
      draw={({ key, title, address, state, contentId, publishedAt, seenAt }) => {
        const name = title ?? address ?? key;
        return (
          <Thing
            key={key}
            title={contentId === null ? name : <a href={`/app/read/${contentId}`}>{name}</a>}
            facts={[text.day(publishedAt ?? seenAt), contentId === null && state !== 'headline' && 'left out']}
            does={
              contentId === null &&
              address !== null && (
                <Do label="Open" of={name} run={['open_source_entry', { id, key }, 'Saved. It is being read.']} />
              )
            }
          />
        );
      }}
    />
  );
}

const partsOf = (words: string): string[] => words.split(',').flatMap((word) => word.trim() || []);

/** Changes what a person chose for a source; feeds have more to choose. */
function SourceForm({ source, onDone }: { source: Source; onDone: () => void }): JSX.Element {
  const { id, kind, name, options, everyMinutes } = source;
  const hasWords = kind === 'feed' || kind === 'mailbox';
  return (
    <Form
      label={text.named('Edit', name)}
      name={`source ${id}`}
      first={{
        name,
        tags: (options.tags ?? []).join(', '),
        only: (options.only ?? []).join(', '),
        without: (options.without ?? []).join(', '),
        keepUnread: String(options.keepUnread || ''),
        keepDays: String(options.keepDays || ''),
        hours: everyMinutes === null ? '' : String(everyMinutes / 60),
        take: options.take ?? 'everything',
      }}
      fields={(bind) => (
        <>
          <Field label="Name" required maxlength={1_000} {...bind('name')} />
          {kind !== 'pages' && (
            <Field label="Tags of its items, with commas between" maxlength={1_000} {...bind('tags')} />
          )}
          <Field
            label="Hours between two checks (empty: as often as it changes)"
            type="number"
            min={0}
            step="any"
            {...bind('hours')}
          />
          {hasWords && (
            <details>
              <summary>What to take</summary>
              {kind === 'feed' && <Field label="What becomes an item" options={takes} {...bind('take')} />}
              <Field label="Only with one of these words" maxlength={1_000} {...bind('only')} />
              <Field label="None with one of these words" maxlength={1_000} {...bind('without')} />
              {kind === 'feed' && (
                <>
                  <Field label="How many stay unread (empty: all)" type="number" min={0} {...bind('keepUnread')} />
                  <Field
                    label="How many days they stay unread (empty: for ever)"
                    type="number"
                    min={0}
                    {...bind('keepDays')}
                  />
                </>
              )}
            </details>
          )}
        </>
      )}
      send={({ hours, tags, only, without, keepUnread, keepDays, take, ...draft }) => {
        const everyMinutes = Math.round(Number(hours) * 60);
        const ofFeed = kind === 'feed' && { keepUnread: Number(keepUnread), keepDays: Number(keepDays), take };
        const words = hasWords && { only: partsOf(only), without: partsOf(without) };
        const input = { id, name: draft.name, tags: partsOf(tags), everyMinutes, ...words, ...ofFeed };
        return ['update_source', input, 'Changed.'];
      }}
      onDone={onDone}
    />
  );
}
