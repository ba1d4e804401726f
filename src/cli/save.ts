import type { Command } from 'commander';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { resolve } from 'node:path';
import { existsSync } from 'node:fs';
import { callOperation } from '../operations/call.ts';
import { saveContent } from '../operations/content.ts';
import type { SavedItem } from '../services/library.ts';
import { AppError, ProcessingError } from '../errors.ts';
import { exitCodes, type CommandApp, type CommandContext, type RunCommand } from './context.ts';
import { collectList } from './flags.ts';
import { renderSummary } from './output.ts';
import { passwordFlag, readPassword } from './password.ts';
import { createProgressBar } from './progress.ts';
import { addPushedFlags, type PushedFiles, readPushedFiles } from './pushed-files.ts';

interface SaveOptions extends PushedFiles {
  tag?: string[];
  notes?: string;
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
    .option(...passwordFlag)
    .option('--wait', 'process them now and wait for the result');
  addPushedFlags(command).action((targets: string[], options: SaveOptions) =>
    run((context) => save(context, targets, options)),
  );
}

interface NotSaved {
  target: string;
  error: { code: string; message: string };
}

async function save(context: CommandContext, targets: readonly string[], options: SaveOptions): Promise<number> {
  const app = await context.open(options.wait === true ? { leastWorkers: 1 } : {});
  const pushed = await readPushedFiles(app, options);
  const [target = ''] = targets;
  if (Object.keys(pushed).length > 0 && (targets.length > 1 || !/^https?:/i.test(target))) {
    throw new AppError(
      'invalid_input',
      'A title and files of text, HTML or captions belong to one web address: give just that.',
    );
  }
  const password = await readPassword(context, options.password);
  const saved: SavedItem[] = [];
  const refused: NotSaved[] = [];
  for (const target of targets) {
    try {
      const one = { ...options, ...(password !== undefined && { password }) };
      saved.push(await saveOne(context, app, target, one, pushed));
    } catch (error) {
      // One bad address among many is reported with the others; alone it is the command's own error.
      if (targets.length === 1 || !(error instanceof AppError || error instanceof ProcessingError)) throw error;
      refused.push({ target, error: { code: error.code, message: error.message } });
    }
  }
  if (options.wait === true) app.worker.start();
  const items = options.wait === true ? await waitForAll(context, app, saved) : saved;
  const answer = [...items, ...refused];
  context.print(answer.length === 1 ? answer[0] : answer, () =>
    [
      ...items.map(renderSummary),
      ...refused.map(({ target, error }) => `not saved: ${target}\n    ${error.message}`),
    ].join('\n'),
  );
  if (options.wait !== true && saved.length > 0) {
    context.tell("Queued. Your assistant's server processes it while it runs, or do it now: commonplace work");
  }
  if (refused.length > 0) return exitCodes.usage;
  const waited = options.wait !== true || items.every((item) => item.status === 'completed');
  return waited ? exitCodes.ok : exitCodes.notProcessed;
}

/** A web address goes through the same gate as everywhere; anything else must be a file. */
async function saveOne(
  context: CommandContext,
  app: CommandApp,
  target: string,
  options: SaveOptions,
  pushed: Awaited<ReturnType<typeof readPushedFiles>>,
): Promise<SavedItem> {
  const request = {
    ...(options.tag !== undefined && { tags: options.tag }),
    ...(options.notes !== undefined && { notes: options.notes }),
  };
  const waiting = { signal: context.signal, onProgress: () => undefined };
  const isFileAddress = /^file:\/\//i.test(target);
  if (isFileAddress || !/^[a-z][a-z0-9+.-]*:\/\//i.test(target)) {
    const path = resolve(isFileAddress ? fileURLToPath(target) : target);
    if (!existsSync(path)) {
      throw new AppError(
        'invalid_input',
        `There is no file ${JSON.stringify(target)}. A web address begins with https://.`,
      );
    }
    const url = pathToFileURL(path).href;
    const resource =
      options.password === undefined
        ? { ...(await app.readFile(path)), url }
        : await app.unlock(path, url, options.password, context.signal);
    return app.services.library.saveResource(context.caller.accountId, resource, request, waiting);
  }
  if (options.password !== undefined) {
    const resource = await app.unlock(target, target, options.password, context.signal);
    return app.services.library.saveResource(context.caller.accountId, resource, request, waiting);
  }
  const input = { url: target, ...request, ...pushed };
  return (await callOperation(saveContent, 'cli', input, context.caller, { ...app.services, ...waiting })) as SavedItem;
}

async function waitForAll(context: CommandContext, app: CommandApp, saved: readonly SavedItem[]): Promise<SavedItem[]> {
  const bar = createProgressBar(context.streams.stderr, context.json);
  const finished = new Map(saved.map((item) => [item.id, 0]));
  const total = saved.length * 5;
  try {
    return await Promise.all(
      saved.map(async ({ id, outcome }) => {
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
        return { ...item, outcome };
      }),
    );
  } finally {
    bar.stop();
  }
}
