import { existsSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { basename, dirname, join, resolve } from 'node:path';
import type { Command } from 'commander';
import { tags as tagsField } from '../../domain/records/content.ts';
import { invalidInput, codeOf } from '../../errors.ts';
import { parseInput } from '../../operations/call.ts';
import { type ImportCounts, importOutcomes } from '../../domain/records/transfers/library-job.ts';
import { type ImportReport, type ImportResult, openImportReport } from '../../services/library/importing.ts';
import { z } from 'zod';
import { commandChange, createProgressBar, tellUndo, keepHeapSmall } from '../call-locally.ts';
import { type CommandContext, exitCodes, type RunCommand } from '../context.ts';
import { collectList } from '../arguments/flags.ts';

interface ImportOptions {
  tag?: string[];
  follow?: true;
  report?: string;
}

export function addImportCommand(program: Command, run: RunCommand): void {
  program
    .command('import')
    .description('Take over bookmarks and notes that another program has exported')
    .argument('<file|folder>', 'an export file, a ZIP archive, or a folder of exports, notes or PDFs')
    .option('--tag <tag>', 'tag for all of them, repeatable', collectList)
    .option('--follow', 'follow the feeds of an OPML file, in place of saving them as items')
    .option('--report <file>', 'write the report here (default: into the folder imports of the data folder)')
    .action((place: string, options: ImportOptions) => run((context) => importExport(context, place, options)));
}

interface PrintedCounts {
  byOutcome: ImportCounts;
  /** By format and outcome. */
  byFormat: Map<string, ImportCounts>;
  /** By outcome and reason. */
  reasons: Map<string, number>;
}

const none = (): ImportCounts => ({ taken: 0, merged: 0, skipped: 0, failed: 0 });
/** The answer shows this many reasons; the report has them all. */
const maxReasons = 15;

async function importExport(context: CommandContext, place: string, options: ImportOptions): Promise<number> {
  const from = resolve(place);
  if (!existsSync(from)) throw invalidInput(`There is no file or folder ${JSON.stringify(place)}.`);
  const { tags } = parseInput(z.strictObject({ tags: tagsField }), 'import', { tags: options.tag ?? [] });
  keepHeapSmall();
  const app = await context.open();
  const author = commandChange(context, 'import');
  const report = await newReport(options.report === undefined ? reportPaths(context, from) : [options.report]);
  const counts: PrintedCounts = { byOutcome: none(), byFormat: new Map(), reasons: new Map() };
  const bar = createProgressBar(context.streams.stderr, context.json);
  try {
    await app.importing.import(author, {
      place: from,
      tags,
      follow: options.follow,
      signal: context.signal,
      onResults: async (results, { bytesRead, bytesTotal }) => {
        for (const result of results) count(counts, result);
        await report.add(results);
        bar.update(bytesRead, bytesTotal, `bytes read, ${counts.byOutcome.taken} taken`);
      },
    });
  } catch (error) {
    if (context.signal.aborted)
      context.tell(
        `Interrupted: ${counts.byOutcome.taken} taken. Run the same import again: it goes on with the rest.`,
      );
    if (author.change.isRecorded) tellUndo(context, { undo: author.change.id });
    throw error;
  } finally {
    bar.stop();
    await report.close();
  }
  const { byOutcome } = counts;
  const formats = Object.fromEntries(counts.byFormat);
  const undo = author.change.isRecorded ? { undo: author.change.id } : {};
  context.print({ ...byOutcome, formats, report: report.path, ...undo }, () => shown(counts, report.path));
  tellUndo(context, undo);
  if (byOutcome.taken > 0) {
    context.tell(
      "They are read in the background, after what you save yourself, while your assistant's server runs; commonplace work does it now.",
    );
  }
  return byOutcome.failed > 0 ? exitCodes.notProcessed : exitCodes.ok;
}

function count(counts: PrintedCounts, { format, outcome, reason }: ImportResult): void {
  counts.byOutcome[outcome] += 1;
  const name = format === '' ? 'not recognised' : format;
  const ofFormat = counts.byFormat.get(name) ?? none();
  ofFormat[outcome] += 1;
  counts.byFormat.set(name, ofFormat);
  if (reason === '') return;
  const key = `${outcome}: ${reason}`;
  if (counts.reasons.has(key) || counts.reasons.size < 1_000)
    counts.reasons.set(key, (counts.reasons.get(key) ?? 0) + 1);
}

function shown({ byFormat, byOutcome, reasons }: PrintedCounts, report: string): string {
  const rows = [...byFormat].map(([name, of]) => [name, ...importOutcomes.map((outcome) => String(of[outcome]))]);
  if (rows.length > 1) rows.push(['together', ...importOutcomes.map((outcome) => String(byOutcome[outcome]))]);
  const table = [['', ...importOutcomes], ...rows];
  const widths = table[0]?.map((_, at) => Math.max(...table.map((row) => row[at]?.length ?? 0))) ?? [];
  const lines = table.map((row) =>
    row.map((cell, at) => (at === 0 ? cell.padEnd(widths[at] ?? 0) : cell.padStart(widths[at] ?? 0))).join('  '),
  );
  const common = [...reasons].toSorted(([, a], [, b]) => b - a);
  const why = common.slice(0, maxReasons).map(([reason, times]) => `${String(times).padStart(6)}  ${reason}`);
  const more = common.length > maxReasons ? [`        and ${common.length - maxReasons} more reasons`] : [];
  return [...lines, ...(why.length > 0 ? ['', ...why, ...more] : []), '', `Every line: ${report}`].join('\n');
}

/** Names for the report without end, one after the other. */
function* reportPaths({ config }: CommandContext, from: string): Generator<string> {
  const name = basename(from)
    .replaceAll(/[^\w.-]/g, '_')
    .slice(0, 80);
  const folder = join(config.data, 'imports');
  for (let number = 1; ; number += 1) yield join(folder, `${name}-${number}.csv`);
}

/** Begins a report in the first of these places that is free. */
async function newReport(places: Iterable<string>): Promise<ImportReport> {
  let cause: unknown;
  for (const place of places) {
    const path = resolve(place);
    try {
      await mkdir(dirname(path), { recursive: true, mode: 0o700 });
      return await openImportReport(path);
    } catch (error) {
      cause = error;
      // Another import may take the name at the same moment.
      if (codeOf(error) !== 'EEXIST') break;
    }
  }
  throw invalidInput('The report cannot be written: choose a new file for it with --report.', {
    cause,
  });
}
