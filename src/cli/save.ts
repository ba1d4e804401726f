import type { Command } from 'commander';
import { pathToFileURL } from 'node:url';
import { resolve } from 'node:path';
import { existsSync } from 'node:fs';
import { callOperation } from '../operations/call.ts';
import { operations } from '../operations/index.ts';
import type { SavedItem } from '../services/library.ts';
import { AppError } from '../errors.ts';
import { exitCodes, type CommandApp, type CommandContext } from './context.ts';
import { renderSummary } from './output.ts';
import { createProgressBar } from './progress.ts';
import type { RunCommand } from './program.ts';

interface SaveOptions {
  tag?: string[];
  notes?: string;
  wait?: boolean;
}

const collect = (value: string, before: string[] = []) => [...before, ...value.split(',').map((part) => part.trim())];

export function addSaveCommand(program: Command, run: RunCommand): void {
  program
    .command('save')
    .description('Save URLs or files of this machine')
    .argument('<url|file...>')
    .option('--tag <tag>', 'tag for all of them, repeatable', collect)
    .option('--notes <text>', 'notes for all of them')
    .option('--wait', 'process them now and wait for the result')
    .action((targets: string[], options: SaveOptions) => run((context) => save(context, targets, options)));
}

async function save(context: CommandContext, targets: readonly string[], options: SaveOptions): Promise<number> {
  const app = await context.open(options.wait === true ? { leastWorkers: 1 } : {});
  const saved: SavedItem[] = [];
  for (const target of targets) saved.push(await saveOne(context, app, target, options));
  if (options.wait !== true) {
    context.print(saved.length === 1 ? saved[0] : saved, () => saved.map(renderSummary).join('\n'));
    context.tell("Queued. Your assistant's server processes it while it runs, or do it now: commonplace work");
    return exitCodes.ok;
  }
  app.worker.start();
  const items = await waitForAll(context, app, saved);
  context.print(items.length === 1 ? items[0] : items, () => items.map(renderSummary).join('\n'));
  return items.every((item) => item.status === 'completed') ? exitCodes.ok : exitCodes.notProcessed;
}

/** A web address goes through the same gate as everywhere; anything else must be a file. */
async function saveOne(
  context: CommandContext,
  app: CommandApp,
  target: string,
  options: SaveOptions,
): Promise<SavedItem> {
  const request = {
    ...(options.tag !== undefined && { tags: options.tag }),
    ...(options.notes !== undefined && { notes: options.notes }),
  };
  const waiting = { signal: context.signal, onProgress: () => undefined };
  const path = resolve(target.startsWith('file://') ? new URL(target).pathname : target);
  if (!/^[a-z][a-z0-9+.-]*:\/\//i.test(target) || target.startsWith('file://')) {
    if (!existsSync(path)) {
      throw new AppError(
        'invalid_input',
        `There is no file ${JSON.stringify(target)}. A web address begins with https://.`,
      );
    }
    const resource = await app.readFile(path);
    return app.services.library.saveResource(
      context.caller.accountId,
      { ...resource, url: pathToFileURL(path).href },
      request,
      waiting,
    );
  }
  const operation = operations.find(({ name }) => name === 'save_content');
  if (operation === undefined) throw new Error('save_content is not declared');
  const input = { url: target, ...request };
  return (await callOperation(operation, 'cli', input, context.caller, { ...app.services, ...waiting })) as SavedItem;
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
