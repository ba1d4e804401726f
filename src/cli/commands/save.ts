import { type Command, Option } from 'commander';
import { z } from 'zod';
import { notes, tags, shelf } from '../../domain/records/content.ts';
import { stages } from '../../domain/records/stages.ts';
import { parseInput } from '../../operations/call.ts';
import { saveContent } from '../../operations/content/save-content.ts';
import { printSummary } from '../../operations/answers/print-item.ts';
import { indented, line, meta, prose } from '../../operations/answers/printed.ts';
import type { SavedItem } from '../../services/library/saving.ts';
import { AppError, invalidInput, ProcessingError } from '../../errors.ts';
import { callLocally, createProgressBar, tellUndo, undoOf } from '../call-locally.ts';
import { type CommandApp, type CommandContext, exitCodes, type RunCommand } from '../context.ts';
import { collectList } from '../arguments/flags.ts';
import { passwordFlag, readPassword } from '../piped-input.ts';
import { addPushedFlags, type PushedFiles, readPushedFiles, saveReadHere, targetOf } from '../read-here.ts';

interface SaveOptions extends PushedFiles {
  tag?: string[];
  notes?: string;
  shelf?: string;
  refresh?: boolean;
  wait?: boolean;
  password?: string;
}

export function addSaveCommand(program: Command, run: RunCommand): void {
  const command = program
    .command('save')
    .description('Save URLs or files of this machine')
    .argument('<url|file...>')
    .option('--tag <tag>', 'tag for all of them, repeatable', collectList)
    .option('--notes <text>', 'notes for all of them')
    .addOption(new Option('--shelf <shelf>', 'where to keep them, default inbox').choices(shelf.options))
    .option('--refresh', 'fetch the pages of known addresses again')
    .option(...passwordFlag)
    .option('--wait', 'process them now and wait for the result');
  addPushedFlags(command).action((targets: string[], options: SaveOptions) =>
    run((context) => save(context, targets, options)),
  );
}

/** Maximum ids in the hint about refreshing. */
const maxOffered = 20;

interface NotSaved {
  target: string;
  error: { code: string; message: string };
}

async function save(context: CommandContext, targets: readonly string[], options: SaveOptions): Promise<number> {
  const app = await context.open(options.wait === true ? { minWorkers: 1 } : {});
  const pushed = await readPushedFiles(app, options, context.signal);
  if (Object.keys(pushed).length > 0) {
    const [only = ''] = targets;
    if (targets.length > 1 || !/^https?:/i.test(only)) {
      throw invalidInput(
        'A title and files of text, HTML or captions belong to one web address: give one address alone.',
      );
    }
    if (options.password !== undefined) {
      throw invalidInput(
        'With files of text, HTML or captions nothing is fetched, so a password has no use: leave --password out.',
      );
    }
  }
  const password = await readPassword(context, options.password);
  const saved: SavedItem[] = [];
  const refused: NotSaved[] = [];
  const wanted = new Set(targets);
  for (const target of wanted) {
    if (context.signal.aborted) break;
    try {
      const one = { ...options, ...(password !== undefined && { password }) };
      saved.push(await saveOne(context, app, target, one, pushed));
    } catch (error) {
      if (context.signal.aborted) break;
      // With several addresses, a refused one is reported with the others. A single one is the command's own error.
      if (targets.length === 1 || !(error instanceof AppError || error instanceof ProcessingError)) throw error;
      refused.push({ target, error: { code: error.code, message: error.message } });
    }
  }
  if (saved.length === 0) context.signal.throwIfAborted();
  const processed = options.wait === true ? await processAll(context, app, saved) : saved;
  const items = processed ?? saved;
  const answer = [...items, ...refused];
  context.print(targets.length === 1 ? answer[0] : answer, () => [
    ...items.flatMap((item) => [
      ...printSummary(item),
      // Each was saved by itself, and is taken back by itself.
      ...(wanted.size > 1
        ? indented(
            '    ',
            undoOf(item).map((text) => line(meta(text))),
          )
        : []),
    ]),
    ...refused.flatMap(({ target, error }) => [
      line('not saved: ', target),
      ...indented('    ', [line(error.message)]),
    ]),
  ]);
  if (wanted.size === 1) tellUndo(context, saved[0]);
  if (processed === null || answer.length < wanted.size) {
    context.tell(`Interrupted: ${saved.length} of ${wanted.size} saved. Processing continues at the next start.`);
    return exitCodes.interrupted;
  }
  const known = saved.filter(
    ({ outcome, status, url }) => outcome === 'existed' && status === 'completed' && /^https?:/i.test(url ?? ''),
  );
  if (known.length > 0) {
    const ids = known.slice(0, maxOffered).map(({ id }) => id);
    context.tell(
      `Saved before. This fetches ${known.length === 1 ? 'it' : 'them'} again: commonplace refresh ${ids.join(' ')}`,
    );
  }
  if (options.wait !== true && saved.length > known.length) {
    context.tell("Queued. Your assistant's server processes it while it runs, or do it now: commonplace work");
  }
  if (refused.length > 0) return exitCodes.usage;
  const waited = options.wait !== true || items.every((item) => item.status === 'completed');
  return waited ? exitCodes.ok : exitCodes.notProcessed;
}

/** Tags, notes and shelf of a file or of a source that a password unlocks. They are validated as in every other save. */
const about = z.strictObject({ tags: tags.optional(), notes: notes.optional(), shelf: shelf.optional() });

/** Saves a web address with the `save_content` operation. A file, or a source with a password, is read here. */
async function saveOne(
  context: CommandContext,
  app: CommandApp,
  text: string,
  { tag: given, notes: words, shelf: place, refresh, password }: SaveOptions,
  pushed: Awaited<ReturnType<typeof readPushedFiles>>,
): Promise<SavedItem> {
  const request = {
    ...(given !== undefined && { tags: given }),
    ...(words !== undefined && { notes: words }),
    ...(place !== undefined && { shelf: place }),
  };
  const target = targetOf(text);
  if (target.isFile || password !== undefined) {
    return saveReadHere(context, app, target, password, parseInput(about, saveContent.name, request));
  }
  const input = { url: text, ...request, ...(refresh !== undefined && { refresh }), ...pushed };
  return (await callLocally(context, app, saveContent, input)) as SavedItem;
}

/** Resolves to null when interrupted. */
async function processAll(
  context: CommandContext,
  app: CommandApp,
  saved: readonly SavedItem[],
): Promise<SavedItem[] | null> {
  if (!context.signal.aborted) app.worker.start();
  const bar = createProgressBar(context.streams.stderr, context.json);
  const finished = new Map(saved.map((item) => [item.id, 0]));
  const total = finished.size * stages.length;
  try {
    return await Promise.all(
      saved.map(async ({ id, outcome, undo }) => {
        const item = await app.services.library.waitFor(context.caller.accountId, id, {
          signal: context.signal,
          onProgress: ({ progress, message }) => {
            finished.set(id, progress);
            bar.update(
              [...finished.values()].reduce((sum, stages) => sum + stages, 0),
              total,
              message,
            );
          },
        });
        return { ...item, outcome, ...(undo !== undefined && { undo }) };
      }),
    );
  } catch (error) {
    if (context.signal.aborted) return null;
    throw error;
  } finally {
    bar.stop();
  }
}

export function addExtractCommand(program: Command, run: RunCommand): void {
  program
    .command('extract')
    .description('Print the document that saving would store, and store nothing')
    .argument('<url|file>')
    .option('--url <address>', 'the original address of a file, for its links and metadata')
    .option(...passwordFlag)
    .action((target: string, options: ExtractOptions) => run((context) => extract(context, target, options)));
}

interface ExtractOptions {
  url?: string;
  password?: string;
}

async function extract(context: CommandContext, target: string, options: ExtractOptions): Promise<void> {
  const { place } = targetOf(target);
  const app = await context.open();
  const password = await readPassword(context, options.password);
  const extracted = await app.extract(place, options.url, context.signal, password);
  const { resource, document, transcript, mediaType, wordCount } = extracted;
  const shown = {
    url: resource.url,
    finalUrl: resource.finalUrl,
    mediaType,
    ...document,
    wordCount,
    transcript: transcript.text,
    blocks: transcript.blocks,
  };
  context.print(shown, () => [
    ...Object.entries(shown).flatMap(([name, value]) =>
      name !== 'transcript' && (typeof value === 'string' || typeof value === 'number')
        ? [line(meta(`${name}: `), String(value))]
        : [],
    ),
    ...document.warnings.map((warning) => line(meta('note: '), warning.message)),
    line(),
    prose(transcript.text),
  ]);
}
