import { setTimeout as sleep } from 'node:timers/promises';
import type { Command } from 'commander';
import { newGoal } from '../domain/goal.ts';
import { AppError } from '../errors.ts';
import { exitCodes, type CommandContext, type RunCommand } from './context.ts';
import { renderSummary } from './output.ts';
import { createProgressBar, type ProgressBar } from './progress.ts';

/** `retry`, `work` and `goal add`: what a person does with the library that is no operation of an assistant's. */
export function addLibraryCommands(program: Command, run: RunCommand): void {
  program
    .command('retry')
    .description('Queue a failed item again')
    .argument('<id>')
    .action((id: string) => run((context) => retry(context, id)));
  program
    .command('work')
    .description('Process everything that waits, then exit')
    .action(() => run(work));
  program
    .command('goal')
    .description('Manage goals')
    .command('add')
    .description('Add a goal')
    .argument('<title>')
    .requiredOption('--category <category>', 'Health, Wealth or Relationships')
    .option('--description <text>', 'what reaching it looks like')
    .action((title: string, options: object) => run((context) => addGoal(context, { title, ...options })));
}

async function retry(context: CommandContext, id: string): Promise<void> {
  const app = await context.open();
  const item = await app.services.library.retry(context.caller.accountId, id);
  context.print(item, () => renderSummary(item));
}

async function work(context: CommandContext): Promise<number> {
  const app = await context.open({ leastWorkers: 1 });
  const account = context.caller.accountId;
  const count = async (status: 'pending' | 'processing' | 'completed' | 'failed') =>
    (await app.services.library.list(account, { limit: 1, offset: 0, status })).total;
  const counts = async () => ({
    completed: await count('completed'),
    failed: await count('failed'),
    waiting: (await count('pending')) + (await count('processing')),
  });

  const before = await counts();
  const bar = createProgressBar(context.streams.stderr, context.json);
  const ended = new AbortController();
  const watching = watch(bar, context, before, counts, ended.signal);
  try {
    await app.worker.runUntilEmpty(context.signal);
  } finally {
    ended.abort();
    await watching;
    bar.stop();
  }
  const after = await counts();
  if (context.signal.aborted) {
    context.tell(`Interrupted: ${after.waiting} left. They go on at the next start, from where they were.`);
    return exitCodes.interrupted;
  }
  const result = {
    completed: after.completed - before.completed,
    failed: after.failed - before.failed,
    waiting: after.waiting,
  };
  context.print(
    result,
    () =>
      `${result.completed} completed, ${result.failed} failed${result.waiting > 0 ? `, ${result.waiting} waiting for a later attempt` : ''}.`,
  );
  return result.failed > 0 ? exitCodes.notProcessed : exitCodes.ok;
}

interface Counts {
  completed: number;
  failed: number;
  waiting: number;
}

/** Moves the bar along while the queue is drained; only where somebody sees it. */
async function watch(
  bar: ProgressBar,
  { streams, json }: CommandContext,
  before: Counts,
  count: () => Promise<Counts>,
  ended: AbortSignal,
): Promise<void> {
  if (json || !streams.stderr.isTTY) return;
  while (!ended.aborted) {
    const now = await count();
    const done = now.completed + now.failed - before.completed - before.failed;
    bar.update(done, done + now.waiting, 'items processed');
    await sleep(250, undefined, { signal: ended }).catch(() => undefined);
  }
}

async function addGoal(context: CommandContext, input: object): Promise<void> {
  const parsed = newGoal.safeParse(input);
  if (!parsed.success) {
    throw new AppError(
      'invalid_input',
      parsed.error.issues.map((issue) => `${issue.path.join('.')}: ${issue.message}`).join('; '),
    );
  }
  const app = await context.open();
  const goal = await app.services.goals.add(context.caller.accountId, parsed.data);
  context.print(goal, () => `${goal.id}  ${goal.title} (${goal.category})`);
}
