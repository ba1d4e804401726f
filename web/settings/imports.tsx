import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import { CallError, sendFile } from '../calls.ts';
import { useTell } from '../parts/toast.tsx';
import { useWrite } from '../parts/use-write.ts';
import type { ImportJob } from '../records.ts';
import { useStore } from '../store.ts';
import { text } from '../text.ts';
import { useJobs } from './jobs.ts';
import { leftOut, type ReportRow } from './report.ts';

/** Entries of a report that are shown on the page. */
const maxShown = 100;

/** Taking over what other programs kept. */
export function Imports(): JSX.Element {
  const jobs = useJobs<ImportJob>('list_imports');
  return (
    <section id="import">
      <h2>{text.transfer.imports}</h2>
      <p class="soft">{text.transfer.importsHint}</p>
      <DropZone />
      {jobs.length > 0 && (
        <ul class="things">
          {jobs.map((job) => (
            <ImportRow key={job.id} job={job} />
          ))}
        </ul>
      )}
    </section>
  );
}

function DropZone(): JSX.Element {
  const store = useStore();
  const tell = useTell();
  const [sending, setSending] = useState('');
  const [isOver, setOver] = useState(false);
  const send = async (files: Iterable<File>): Promise<void> => {
    for (const file of files) {
      setSending(file.name);
      try {
        const name = encodeURIComponent(file.name.slice(0, 200));
        await sendFile(`/app/files/import?name=${name}`, file, store.start.formToken);
      } catch (error) {
        if (!(error instanceof CallError)) throw error;
        tell({ message: error.message || text.connectionLost });
      }
      store.refresh('list_imports');
    }
    setSending('');
  };
  return (
    <label
      class={`drop ${isOver ? 'over' : ''}`}
      onDragOver={(event) => {
        event.preventDefault();
        setOver(true);
      }}
      onDragLeave={() => setOver(false)}
      onDrop={(event) => {
        event.preventDefault();
        setOver(false);
        void send(event.dataTransfer?.files ?? []);
      }}
    >
      <input
        type="file"
        multiple
        aria-label={text.transfer.drop}
        disabled={sending !== ''}
        onChange={(event) => {
          const field = event.currentTarget;
          void send([...(field.files ?? [])]);
          field.value = '';
        }}
      />
      <span>{sending === '' ? text.transfer.drop : text.transfer.sending(sending)}</span>
    </label>
  );
}

function ImportRow({ job }: { job: ImportJob }): JSX.Element {
  const { id, fileName, state, failure, counts, progress, createdAt, undo } = job;
  const write = useWrite();
  const isRunning = state === 'waiting' || state === 'running';
  const wasLeftOut = counts.skipped + counts.failed > 0;
  const begun = counts.taken + counts.merged + counts.skipped + counts.failed > 0;
  return (
    <li>
      <div>
        <p class="thing">{fileName}</p>
        <p class="soft">
          {text.transfer.states[state]}, {text.day(createdAt)}
        </p>
        {isRunning && (
          <progress
            aria-label={text.transfer.importProgress(fileName)}
            max={progress.total || 1}
            value={progress.done}
          />
        )}
        {failure !== null && <p class="problem">{failure}</p>}
        {begun && (
          <p>
            {text.transfer.counts(counts)}.{' '}
            <a href={`/app/files/import/${id}`} download>
              {text.transfer.report}
            </a>
          </p>
        )}
        {wasLeftOut && !isRunning && <LeftOut id={id} />}
      </div>
      {isRunning && (
        <button
          type="button"
          class="button quiet"
          aria-label={text.transfer.cancelNamed(fileName)}
          onClick={() => void write({ operation: 'cancel_import', input: { id } })}
        >
          {text.transfer.cancel}
        </button>
      )}
      {state === 'interrupted' && (
        <button
          type="button"
          class="button quiet"
          aria-label={text.transfer.resumeNamed(fileName)}
          onClick={() => void write({ operation: 'resume_import', input: { id } })}
        >
          {text.transfer.resume}
        </button>
      )}
      {state === 'done' && undo !== null && (
        <button
          type="button"
          class="button quiet"
          aria-label={text.transfer.undoNamed(fileName)}
          onClick={() => void write({ operation: 'undo', input: { id: undo }, done: text.undone })}
        >
          {text.undo}
        </button>
      )}
    </li>
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
      <summary>{text.transfer.why}</summary>
      {read === null ? (
        <p class="soft">{text.loading}</p>
      ) : (
        <ul class="left-out">
          {read.rows.map(({ file, line, reason, what }) => (
            <li>
              <p>{what === '' ? text.transfer.line(file, line) : what}</p>
              <p class="soft">{reason}</p>
            </li>
          ))}
          {read.total > read.rows.length && <li class="soft">{text.transfer.rest(read.total - read.rows.length)}</li>}
        </ul>
      )}
    </details>
  );
}
