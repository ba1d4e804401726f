import type { ComponentChildren, JSX } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { CallError } from '../data/calls.ts';
import { sendFile } from '../save/desk.ts';
import { Do, useTell, useWrite } from '../parts/writing.tsx';
import { Box, Field } from '../parts/form.tsx';
import { Thing } from '../parts/things.tsx';
import type { ExportJob, ImportJob, List } from '../data/records.ts';
import { useAnswer, useStore } from '../data/store.ts';
import { text } from '../text.ts';
import { shownJobs } from '../views.ts';
import { leftOut, type ReportRow } from './report.ts';

const outcomes = { taken: 'taken', merged: 'merged with existing items', skipped: 'skipped', failed: 'failed' };
const countWords = (counts: Record<keyof typeof outcomes, number>): string =>
  (Object.keys(outcomes) as (keyof typeof outcomes)[])
    .filter((outcome) => outcome === 'taken' || counts[outcome] > 0)
    .map((outcome) => `${text.number(counts[outcome])} ${outcomes[outcome]}`)
    .join(', ');
const size = (bytes: number): string =>
  bytes < 1_000_000
    ? `${text.number(Math.ceil(bytes / 1_000))} kB`
    : `${text.number(Math.round(bytes / 1_000_000))} MB`;
const dropWords = 'Drop files here, or choose them';
const formats = Object.entries({
  archive: 'everything, as an archive (ZIP)',
  netscape: 'bookmarks (HTML)',
  csv: 'a table (CSV)',
  jsonl: 'JSON, a line for each item',
  opml: 'feeds (OPML)',
  ics: 'to do, for calendars (iCalendar)',
  todoist: 'to do, for Todoist (CSV)',
});
const stateNames = {
  waiting: 'Waiting',
  running: 'Running',
  done: 'Done',
  failed: 'Failed',
  cancelled: 'Cancelled',
  interrupted: 'Interrupted: the server ended meanwhile',
};

const askAgainMs = 800;
/** Entries of a report that are shown on the page. */
const maxShown = 100;

const isRunning = ({ state }: ImportJob | ExportJob): boolean => state === 'waiting' || state === 'running';

/** Imports or exports, asked for again while one of them has not ended. */
function useJobs<Job extends ImportJob | ExportJob>(operation: 'list_imports' | 'list_exports'): Job[] {
  const store = useStore();
  const { answer } = useAnswer<List<Job>>(operation, shownJobs);
  const jobs = answer?.items ?? [];
  const isAnyRunning = jobs.some(isRunning);
  useEffect(() => {
    if (!isAnyRunning) return undefined;
    const timer = setTimeout(() => store.refresh(operation), askAgainMs);
    return () => clearTimeout(timer);
  }, [answer]);
  useEffect(() => {
    if (!isAnyRunning) store.refresh('list_library', 'library_state', 'list_tags');
  }, [isAnyRunning]);
  return jobs;
}

/** Taking over what other programs kept. */
export function Imports(): JSX.Element {
  const jobs = useJobs<ImportJob>('list_imports');
  return (
    <section id="import">
      <h2>Import</h2>
      <p class="soft">
        Exports of other programs: bookmarks of a browser, Pocket, Raindrop, Readwise, Instapaper, Omnivore, Kindle,
        Obsidian and others, mailboxes (mbox), and those of Commonplace. What a file is, is recognised.
      </p>
      <DropZone />
      <ul class="listed">
        {jobs.map((job) => (
          <ImportRow key={job.id} job={job} />
        ))}
      </ul>
    </section>
  );
}

function DropZone(): JSX.Element {
  const store = useStore();
  const tell = useTell();
  const [sending, setSending] = useState('');
  const [follows, setFollows] = useState(false);
  const [isOver, setIsOver] = useState(false);
  const send = async (files: Iterable<File>): Promise<void> => {
    for (const file of files) {
      setSending(file.name);
      try {
        const name = encodeURIComponent(file.name.slice(0, 200));
        await sendFile(`/app/files/import?name=${name}&follow=${follows}`, file, store.start.formToken);
      } catch (error) {
        if (!(error instanceof CallError)) throw error;
        tell({ message: error.message || text.connectionLost });
      }
      store.refresh('list_imports');
    }
    setSending('');
  };
  return (
    <>
      <label
        class={isOver ? 'drop over' : 'drop'}
        onDragOver={(event) => {
          event.preventDefault();
          setIsOver(true);
        }}
        onDragLeave={() => setIsOver(false)}
        onDrop={(event) => {
          event.preventDefault();
          setIsOver(false);
          void send(event.dataTransfer?.files ?? []);
        }}
      >
        <input
          type="file"
          multiple
          aria-label={dropWords}
          disabled={sending !== ''}
          onChange={(event) => {
            const field = event.currentTarget;
            void send([...(field.files ?? [])]);
            field.value = '';
          }}
        />
        <span>{sending === '' ? dropWords : `Sending ${sending}…`}</span>
      </label>
      <Box
        label="Follow the feeds of an OPML file, in place of saving each as an item"
        checked={follows}
        onChange={(event) => setFollows(event.currentTarget.checked)}
      />
    </>
  );
}

function ImportRow({ job }: { job: ImportJob }): JSX.Element {
  const { id, fileName, state, counts, formats: found, follow, createdAt, undo } = job;
  const left = counts.skipped + counts.failed;
  return (
    <JobRow
      job={job}
      facts={[stateNames[state], text.day(createdAt)]}
      does={
        isRunning(job) ? (
          <Do label="Cancel" of={fileName} run={['cancel_import', { id }]} />
        ) : state === 'interrupted' ? (
          <Do label="Go on" of={fileName} run={['resume_import', { id }]} />
        ) : (
          state === 'done' && undo !== null && <Do label="Undo" of={fileName} run={['undo', { id: undo }, 'Undone.']} />
        )
      }
    >
      {counts.taken + counts.merged + left > 0 && (
        <p>
          {countWords(counts)}.{' '}
          <a href={`/app/files/import/${id}`} download>
            Whole report
          </a>
        </p>
      )}
      {found.includes('feeds (OPML)') && !follow && (
        <p class="soft">
          Its feeds are saved as items. To follow them, import the file again with the box for feeds ticked.
        </p>
      )}
      {left > 0 && !isRunning(job) && <LeftOut id={id} />}
    </JobRow>
  );
}

interface JobRowParts {
  job: ImportJob | ExportJob;
  facts: readonly string[];
  does: ComponentChildren;
  children: ComponentChildren;
}

/** Of which file, how far it is and what went wrong. */
function JobRow({ job, facts, does, children }: JobRowParts): JSX.Element {
  const { fileName, failure, progress } = job;
  return (
    <Thing title={fileName} facts={facts} does={does}>
      {isRunning(job) && (
        <progress aria-label={`How far ${fileName} is`} max={progress.total || 1} value={progress.done} />
      )}
      {failure !== null && <p class="problem">{text.problems.words(failure)}</p>}
      {children}
    </Thing>
  );
}

/** What was not taken, read when somebody wants to know. */
function LeftOut({ id }: { id: string }): JSX.Element {
  const [read, setRead] = useState<{ rows: ReportRow[]; total: number } | null>(null);
  const open = async (): Promise<void> => {
    if (read !== null) return;
    const response = await fetch(`/app/files/import/${id}`);
    if (response.ok) setRead(leftOut(await response.text(), maxShown));
  };
  return (
    <details onToggle={(event) => void (event.currentTarget.open && open())}>
      <summary>Skipped and failed entries, with reasons</summary>
      {read === null ? (
        <p class="soft">Loading…</p>
      ) : (
        <ul class="left-out">
          {read.rows.map(({ file, line, reason, what }) => (
            <li>
              <p>{what === '' ? `${file}, line ${line}` : what}</p>
              <p class="soft">{reason}</p>
            </li>
          ))}
          {read.total > read.rows.length && (
            <li class="soft">{text.number(read.total - read.rows.length)} more are in the report.</li>
          )}
        </ul>
      )}
    </details>
  );
}

/** Taking everything out again. */
export function Exports(): JSX.Element {
  const jobs = useJobs<ExportJob>('list_exports');
  const write = useWrite();
  return (
    <section id="export">
      <h2>Export</h2>
      <p class="soft">
        Everything is yours. The archive holds all of it: texts, originals, tags, notes, highlights, to do and goals.
      </p>
      <form
        class="own-form in-line"
        onSubmit={(event) => {
          event.preventDefault();
          const format = new FormData(event.currentTarget).get('format');
          void write('start_export', { format });
        }}
      >
        <Field label="As" name="format" options={formats} />
        <button class="button">Make the file</button>
      </form>
      <ul class="listed">
        {jobs.map((job) => (
          <ExportRow key={job.id} job={job} />
        ))}
      </ul>
    </section>
  );
}

function ExportRow({ job }: { job: ExportJob }): JSX.Element {
  const { id, fileName, state, items, bytes, expiresAt } = job;
  return (
    <JobRow
      job={job}
      facts={[
        state === 'done' ? text.library.items(items) : stateNames[state],
        expiresAt === null ? '' : `kept until ${text.minute(expiresAt)}`,
      ]}
      does={<Do label="Delete" of={fileName} sure="Sure?" run={['delete_export', { id }]} />}
    >
      {bytes !== null && (
        <p>
          <a href={`/app/files/export/${id}`} download>
            Download ({size(bytes)})
          </a>
        </p>
      )}
    </JobRow>
  );
}
