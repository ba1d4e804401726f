import { setTimeout as sleep } from 'node:timers/promises';
import { type Command, Option } from 'commander';
import { shortened } from '../../domain/text/shortened.ts';
import { AppError, invalidInput, notFound } from '../../errors.ts';
import { type CommandApp, type CommandContext, exitCodes, type RunCommand } from '../context.ts';
import { callLocally, createProgressBar, type ProgressBar, tellUndo } from '../call-locally.ts';
import { rhythmWords } from '../../domain/clock.ts';
import type { Refreshing } from '../../services/library/refreshing.ts';
import { refreshContent } from '../../operations/content/versions.ts';
import { counted, line, meta, oneLine } from '../../operations/answers/printed.ts';
import { listedByCode, sumOf } from '../../services/operating/queue-figures.ts';
import { printSummary } from '../../operations/answers/print-item.ts';
import { passwordFlag, readPassword } from '../piped-input.ts';
import { saveReadHere, targetOfItem } from '../read-here.ts';

const reprocessStages = ['extract', 'split', 'embed', 'analyse'] as const;

interface ReprocessOptions {
  all?: boolean;
  dryRun?: boolean;
  from: (typeof reprocessStages)[number];
}

export function addQueueCommands(program: Command, run: RunCommand): void {
  program
    .command('work')
    .description('Process everything that waits and check what is followed, then exit')
    .action(() => run(async (context) => drain(context, await context.open({ minWorkers: 1 }))));
  program
    .command('reprocess')
    .description('Process saved items again from stored data, without fetching anything')
    .argument('[id...]')
    .option('--all', 'every saved item')
    .addOption(
      new Option('--from <stage>', 'the first stage that is done again').choices(reprocessStages).default('extract'),
    )
    .option('--dry-run', 'say what it would cost, and do nothing')
    .action((ids: string[], options: ReprocessOptions) => run((context) => reprocess(context, ids, options)));
  program
    .command('refresh')
    .description('Fetch the pages of saved items again')
    .argument('<id|query...>', 'ids, or a query that finds the items')
    .option(
      '--every <day|week|hours>',
      'fetch them again from now on, too: every day, every week, or every so many hours',
    )
    .option('--replace-given', 'replace texts that were given and not fetched, too')
    .action((wanted: string[], options: RefreshOptions) => run((context) => refresh(context, wanted, options)));
}

interface RefreshOptions {
  every?: string;
  replaceGiven?: boolean;
}

async function refresh(context: CommandContext, wanted: readonly string[], options: RefreshOptions): Promise<number> {
  const app = await context.open({ minWorkers: 1 });
  const { library } = app.services;
  const account = context.caller.accountId;
  const areIds = wanted.every((word) => /^c_[a-z0-9]+$/.test(word));
  const { every, ...others } = options;
  const everyMinutes = every === undefined ? undefined : minutesOf(every);
  const request = { ...(areIds ? { ids: wanted } : { query: wanted.join(' ') }), everyMinutes, ...others };
  const answer = (await callLocally(context, app, refreshContent, request)) as Refreshing;
  const { items, queued, left, source } = answer;
  const before = new Map<string, string | undefined>();
  for (const { id } of items)
    before.set(id, (await library.summaries(account, [id]))[0]?.pageCheck?.changedAt ?? undefined);
  if (queued > 0) await app.worker.runUntilEmpty(context.signal);
  const refused = items.filter(({ outcome }) => outcome !== 'queued');
  const results: { id: string; title: string | null; added?: number; removed?: number; message?: string }[] = [];
  for (const { id, outcome, message } of items) {
    const [item] = await library.summaries(account, [id]);
    const result = { id, title: item?.title ?? null, ...(message !== undefined && { message }) };
    const hasChanged = outcome === 'queued' && (item?.pageCheck?.changedAt ?? undefined) !== before.get(id);
    const [now, old] = hasChanged ? await library.listVersions(account, id) : [];
    if (now === undefined || old === undefined) {
      const problem =
        outcome === 'queued'
          ? item?.warnings.find(({ message: words }) => words.startsWith('Fetched again'))
          : undefined;
      results.push({ ...result, ...(problem !== undefined && { message: problem.message }) });
      continue;
    }
    const { added, removed } = await library.readVersion(account, id, now.version, old.version);
    results.push({ ...result, added, removed });
  }
  context.print({ items: results, queued, left, ...(source && { source }) }, () => [
    ...results.map(({ id, title, added, removed = 0, message }) =>
      line(
        meta(id),
        `  ${oneLine(title ?? '', 60)}: `,
        message ??
          (added === undefined ? 'as it was' : `changed, ${counted(added, 'paragraph')} added, ${removed} taken away`),
      ),
    ),
    ...(items.length === 0 ? [line('No saved item matches.')] : []),
    ...(left > 0 ? [line(`${left} more were not fetched: say it again with a narrower query.`)] : []),
  ]);
  if (source !== undefined)
    context.tell(
      `Fetched again ${rhythmWords(source.everyMinutes ?? 0)} from now on, while \`commonplace serve\` or an assistant runs. It is one of \`commonplace sources\`: ${source.id}.`,
    );
  tellUndo(context, answer);
  return refused.length > 0 ? exitCodes.usage : exitCodes.ok;
}

/** @throws {AppError} `invalid_input` */
function minutesOf(every: string): number {
  if (every === 'day') return 24 * 60;
  if (every === 'week') return 7 * 24 * 60;
  if (/^[0-9]{1,3}$/.test(every) && Number(every) >= 1 && Number(every) <= 744) return Number(every) * 60;
  throw invalidInput('--every takes `day`, `week`, or a number of hours from 1 to 744.');
}

async function reprocess(context: CommandContext, ids: readonly string[], options: ReprocessOptions): Promise<number> {
  if (ids.length > 0 === (options.all === true)) {
    throw invalidInput('Say which items: one or more ids, or --all.');
  }
  const app = await context.open({ minWorkers: 1 });
  const { library } = app.services;
  const account = context.caller.accountId;
  const some = options.all === true ? undefined : [...new Set(ids)];
  await refuseUnknown(context, app, some ?? []);
  // Reprocessing from any stage ends with a new analysis. The estimate is null when no model writes analyses.
  const estimate = await app.estimateAnalysisCost(account, some);
  if (estimate !== null) {
    const tokens = (estimate.inputTokens + estimate.outputTokens).toLocaleString('en');
    context.tell(
      `${estimate.model} analyses ${estimate.items} ${estimate.items === 1 ? 'item' : 'items'} again: about ${tokens} tokens, $${estimate.costUsd.toFixed(2)}.`,
    );
  }
  const written = estimate === null ? await app.countWrittenAnalyses(account, some) : 0;
  if (written > 0) {
    context.tell(
      `${written} ${written === 1 ? 'has' : 'have'} an analysis that an assistant or a model wrote: extracted sentences take its place until one is written again.`,
    );
  }
  if (options.dryRun === true) {
    context.print({ dryRun: true, ...(estimate === null ? { written } : { estimate }) }, () =>
      estimate === null ? 'No model would be asked: it costs nothing. Nothing was done.' : 'Nothing was done.',
    );
    return exitCodes.ok;
  }
  // Queued items stay queued: if this command is interrupted or killed, the next start continues.
  const sum = { queued: 0, lacking: 0 };
  for (const id of some ?? [undefined]) {
    const { queued, lacking } = await library.reprocess(account, options.from, id);
    sum.queued += queued;
    sum.lacking += lacking;
  }
  if (sum.lacking > 0) {
    context.tell(
      `${sum.lacking} left out: there is nothing stored to begin with at ${options.from}. \`commonplace retry\` fetches a failed item again.`,
    );
  }
  return drain(context, app, { ...sum, ...(estimate !== null && { estimate }) });
}

/** @throws {AppError} `not_found` naming an unknown id, before anything is queued */
async function refuseUnknown({ caller }: CommandContext, { services }: CommandApp, ids: readonly string[]) {
  for (const id of ids) {
    // Not the item itself: its text may be damaged, which is why it is read again.
    await services.library.getVersion(caller.accountId, id).catch((error: unknown) => {
      if (!(error instanceof AppError) || error.code !== 'not_found') throw error;
      const shown = JSON.stringify(shortened(id, 40));
      throw notFound(`There is no saved item ${shown}: nothing was queued.`, { cause: error });
    });
  }
}

interface WorkedItems {
  completed: number;
  failed: number;
  waiting: number;
}

/** Processes all waiting items, and checks the sources that are due. The printed answer counts the results and includes `about`. */
async function drain(context: CommandContext, app: CommandApp, about: object = {}): Promise<number> {
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
    await app.worker.runUntilEmpty(context.signal, { checksSources: true });
  } finally {
    ended.abort();
    await watching;
    bar.stop();
  }
  const after = await counts();
  if (context.signal.aborted) {
    context.tell(`Interrupted: ${after.waiting} left. Processing continues at the next start.`);
    return exitCodes.interrupted;
  }
  const analysesWaiting = await app.countWaitingAnalyses(account);
  const result = {
    ...about,
    completed: after.completed - before.completed,
    failed: after.failed - before.failed,
    waiting: after.waiting,
    ...(analysesWaiting > 0 && { analysesWaiting }),
  };
  context.print(result, () => {
    const waiting = result.waiting > 0 ? `, ${result.waiting} waiting for a later attempt` : '';
    const analyses =
      analysesWaiting === 0
        ? ''
        : ` ${analysesWaiting === 1 ? '1 analysis of the model waits' : `${analysesWaiting} analyses of the model wait`}: \`commonplace doctor\` says why.`;
    return `${result.completed} completed, ${result.failed} failed${waiting}.${analyses}`;
  });
  return result.failed > 0 ? exitCodes.notProcessed : exitCodes.ok;
}

/** Updates the progress bar while the queue is processed. Does nothing without a terminal or with `--json`. */
async function watch(
  bar: ProgressBar,
  { streams, json }: CommandContext,
  before: WorkedItems,
  count: () => Promise<WorkedItems>,
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

/** `retry`: queues failed items again. It is a command only, and not an operation for assistants. */
export function addLibraryCommands(program: Command, run: RunCommand): void {
  program
    .command('retry')
    .description('Queue a failed item again')
    .argument('[id]')
    .option('--all-failed', 'every failed item')
    .option('--code <code...>', 'with --all-failed: only items that failed with one of these codes')
    .option(...passwordFlag)
    .action((id: string | undefined, options: RetryOptions) => run((context) => retry(context, id, options)));
}

interface RetryOptions {
  allFailed?: boolean;
  code?: string[];
  password?: string;
}

async function retry(context: CommandContext, id: string | undefined, options: RetryOptions): Promise<void> {
  const { allFailed = false, code, password } = options;
  if ((id === undefined) !== allFailed || (allFailed && password !== undefined) || (!allFailed && code !== undefined))
    throw invalidInput(
      'Say which: `commonplace retry <id>`, or `commonplace retry --all-failed`, which `--code` narrows down.',
    );
  await (id === undefined ? retryAllFailed(context, code) : retryOne(context, id, password));
}

async function retryAllFailed(context: CommandContext, codes: readonly string[] | undefined): Promise<void> {
  const { library } = (await context.open()).services;
  const { queued, failed } = await library.retryFailed(context.caller.accountId, codes);
  const total = sumOf(queued);
  context.print({ queued: total, byCode: queued }, () => {
    if (total > 0)
      return `${total} queued: ${listedByCode(queued)}. They are processed while a server runs; commonplace work does it now.`;
    return sumOf(failed) === 0
      ? 'Nothing has failed.'
      : `None failed with that code. There are: ${listedByCode(failed)}.`;
  });
}

async function retryOne(context: CommandContext, id: string, given: string | undefined): Promise<void> {
  const app = await context.open();
  const { library } = app.services;
  const account = context.caller.accountId;
  const password = await readPassword(context, given);
  if (password !== undefined) {
    const { url, fileName } = await library.get(account, id);
    if (fileName !== undefined)
      throw invalidInput(
        'This file was uploaded, and a locked one is not kept: save it with commonplace save <file> --password.',
      );
    if (url === null) throw invalidInput('This item is a note: no password locks it.');
    await saveReadHere(context, app, targetOfItem({ url }), password);
  }
  const item = password === undefined ? await library.retry(account, id) : await library.get(account, id);
  context.print(item, () => printSummary(item));
}
