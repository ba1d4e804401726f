import type { JSX } from 'preact';
import { SureButton } from '../parts/sure-button.tsx';
import { useWrite } from '../parts/use-write.ts';
import type { ExportJob } from '../records.ts';
import { text } from '../text.ts';
import { useJobs } from './jobs.ts';

const formats = Object.keys(text.transfer.formats) as ExportJob['format'][];

/** Taking everything out again. */
export function Exports(): JSX.Element {
  const jobs = useJobs<ExportJob>('list_exports');
  const write = useWrite();
  return (
    <section id="export">
      <h2>{text.transfer.exports}</h2>
      <p class="soft">{text.transfer.exportsHint}</p>
      <form
        class="fields in-line"
        onSubmit={(event) => {
          event.preventDefault();
          const format = new FormData(event.currentTarget).get('format');
          void write({ operation: 'start_export', input: { format } });
        }}
      >
        <label>
          <span>{text.transfer.format}</span>
          <select name="format">
            {formats.map((format) => (
              <option value={format}>{text.transfer.formats[format]}</option>
            ))}
          </select>
        </label>
        <button class="button">{text.transfer.begin}</button>
      </form>
      {jobs.length > 0 && (
        <ul class="things">
          {jobs.map((job) => (
            <ExportRow key={job.id} job={job} />
          ))}
        </ul>
      )}
    </section>
  );
}

function ExportRow({ job }: { job: ExportJob }): JSX.Element {
  const { id, fileName, state, failure, progress, items, bytes, expiresAt } = job;
  const write = useWrite();
  const isRunning = state === 'waiting' || state === 'running';
  return (
    <li>
      <div>
        <p class="thing">{fileName}</p>
        <p class="soft">
          {state === 'done' ? text.library.items(items) : text.transfer.states[state]}
          {expiresAt !== null && `, ${text.transfer.kept(expiresAt)}`}
        </p>
        {isRunning && (
          <progress aria-label={text.transfer.exportProgress} max={progress.total || 1} value={progress.done} />
        )}
        {failure !== null && <p class="problem">{failure}</p>}
        {bytes !== null && (
          <p>
            <a href={`/app/files/export/${id}`} download>
              {text.transfer.download(bytes)}
            </a>
          </p>
        )}
      </div>
      <SureButton
        label={text.transfer.deleteExport}
        name={text.transfer.deleteExportNamed(fileName)}
        onSure={() => void write({ operation: 'delete_export', input: { id } })}
      />
    </li>
  );
}
