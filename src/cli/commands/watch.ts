import { setTimeout as sleep } from 'node:timers/promises';
import type { Command } from 'commander';
import { z } from 'zod';
import { tags as tagsField } from '../../domain/records/content.ts';
import type { Source } from '../../domain/records/sources/source.ts';
import type { FolderEvent } from '../../domain/records/sources/folder.ts';
import { maskText } from '../../domain/text/clean-text.ts';
import { parseInput } from '../../operations/call.ts';
import { counted } from '../../operations/answers/printed.ts';
import { isServed } from '../asking/ask-server.ts';
import { createProgressBar } from '../call-locally.ts';
import { type CommandApp, type CommandContext, exitCodes, type RunCommand } from '../context.ts';
import { collectList } from '../arguments/flags.ts';

interface WatchOptions {
  tag?: string[];
  once?: boolean;
}

export function addWatchCommand(program: Command, run: RunCommand): void {
  program
    .command('watch')
    .description('Keep the library in step with a folder of notes and documents, such as an Obsidian vault')
    .argument('<folder>')
    .option('--tag <tag>', 'tag for all of its items, repeatable', collectList)
    .option('--once', 'end when everything is taken up')
    .action((folder: string, options: WatchOptions) => run((context) => watch(context, folder, options)));
}

const betweenLooksMs = 300;

async function watch(context: CommandContext, folder: string, options: WatchOptions): Promise<number> {
  const { tags } = parseInput(z.strictObject({ tags: tagsField }), 'watch', { tags: options.tag ?? [] });
  const app = await context.open({ minWorkers: 1 });
  const source = await app.folders.add(folder, tags);
  if (source.state !== 'active') return report(context, source);
  if (options.once !== true && (await isServed(app.config.data))) {
    context.print(source, () => `The running server watches ${source.address} from now on.`);
    return exitCodes.ok;
  }
  const bar = createProgressBar(context.streams.stderr, context.json);
  let isStaying = false;
  const endEvents = app.folders.onEvent((sourceId, event) => {
    if (sourceId !== source.id) return;
    if (event.kind === 'progress' && !isStaying) bar.update(event.done, event.total, 'files read');
    if (isStaying || event.kind === 'left') tellEvent(context, event);
  });
  try {
    app.worker.start();
    const checked = await untilChecked(context, app, source);
    bar.stop();
    if (checked === null) return exitCodes.interrupted;
    const code = report(context, checked);
    if (options.once === true || checked.state !== 'active') return code;
    isStaying = true;
    context.tell('Changes are taken up as they happen. Ctrl-C ends it.');
    if (!context.signal.aborted)
      await new Promise((resolve) => context.signal.addEventListener('abort', resolve, { once: true }));
    return exitCodes.ok;
  } finally {
    bar.stop();
    endEvents();
  }
}

/** Resolves to null when interrupted. */
async function untilChecked({ signal }: CommandContext, app: CommandApp, asked: Source): Promise<Source | null> {
  while (!signal.aborted) {
    await sleep(betweenLooksMs, undefined, { signal }).catch(() => undefined);
    const now = await app.folders.get(asked.id);
    if (now === null || now.state !== 'active') return now;
    // While a check runs, the next one seems to be due at the end of its lease, a minute away at most.
    const isPutOff = Date.parse(now.nextCheckAt ?? '') - Date.now() > 2 * 60_000;
    if (now.checkedAt !== asked.checkedAt || (now.problem !== null && isPutOff)) return now;
  }
  return null;
}

function report(context: CommandContext, source: Source): number {
  const { address, items, problem } = source;
  context.print(source, () =>
    [`${address}: ${counted(items, 'item')}.`, ...(problem === null ? [] : [problem.message])].join('\n'),
  );
  return problem === null ? exitCodes.ok : exitCodes.notProcessed;
}

const words = { added: 'saved', changed: 'changed', moved: 'moved', removed: 'in the trash', left: 'left out' };

function tellEvent(context: CommandContext, event: FolderEvent): void {
  if (event.kind === 'progress') return;
  context.tell(maskText(`${words[event.kind]}: ${event.path}${event.why === undefined ? '' : ` (${event.why})`}`));
}
