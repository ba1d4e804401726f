import { cpSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import type { App } from '../src/app/app.ts';
import { mean } from './retrieval/metrics.ts';
import { shownToolSets } from '../src/mcp/mcp-parts.ts';
import { connectInMemory, type TestClient } from '../tests/support/mcp.ts';
import { countFields, shownFields, tokensOf, type FieldTokens } from './answer-fields.ts';
import { readForeignQuestions } from './answer-foreign.ts';
import { buildLibrary, openLibrary, type Library } from './answer-library.ts';
import { isAdmitted, isHeld, readTasks, taskKinds, type AnswerTask, type TaskCall } from './answer-tasks.ts';

/*
 * What an assistant's answers cost in tokens (o200k), and whether they can be trusted:
 *
 *   npm run build && npx node bench/answers.ts <corpora> [--fields] [--lost] [--rebuild] [--json]
 *
 * Sixty tasks (bench/data/answer-tasks.jsonl) on sixty pages, PDFs and transcripts of the corpora, through the MCP
 * server with the tools that `connect` turns on, and 200 questions of retrieval collections that the library has no
 * answer to. The library takes minutes to build and stays in the folder for temporary files. `--fields` tells where the
 * tokens go, `--lost` which tasks failed.
 */

const { values: options, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    fields: { type: 'boolean', default: false },
    lost: { type: 'boolean', default: false },
    rebuild: { type: 'boolean', default: false },
    json: { type: 'boolean', default: false },
  },
});
const [corpora] = positionals;
if (corpora === undefined) throw new Error('usage: answers.ts <corpora> [--fields] [--lost] [--rebuild] [--json]');

interface Outcome {
  task: AnswerTask;
  /** Tokens of all answers, and of what the assistant writes to call the tools. */
  tokens: number;
  /** Tokens of the search results that are of other items than those wanted. */
  unwanted: number;
  written: number;
  calls: number;
  isFound: boolean;
  /** Found in the answer to the first call. */
  isFoundAtOnce: boolean;
  /** The first result of the first search is one of the items that are wanted; null when that was no search. */
  isFirst: boolean | null;
  /** Score of the first result of the first search. */
  bestScore: number | null;
  /** All searches admitted that nothing fits; null when nothing was searched. */
  isAdmitted: boolean | null;
  /** The first search did: an assistant may stop there. */
  isCalledWeak: boolean;
  missing: string[];
}

/** Tokens of each call's answer, by tool. */
const answerTokens = new Map<string, number[]>();
const fields: FieldTokens = new Map();

/** Tokens of each prompt. */
const promptTokens = new Map<string, number[]>();

async function askPrompt(client: TestClient, name: string, given: Record<string, string>): Promise<void> {
  promptTokens.set(name, [...(promptTokens.get(name) ?? []), tokensOf(await client.getPrompt(name, given))]);
}

interface Answered {
  text: string;
  structured: unknown;
}

async function ask(client: TestClient, tool: string, input: object): Promise<Answered> {
  const { isError, text, structured } = await client.call(tool, input);
  if (isError) throw new Error(`${tool} ${JSON.stringify(input)}: ${text}`);
  answerTokens.set(tool, [...(answerTokens.get(tool) ?? []), tokensOf(text)]);
  return { text, structured: structured ?? JSON.parse(text) };
}

/** The input with what the assistant learned from earlier answers; null when they did not tell it. */
function resolveInput({ question }: AnswerTask, { tool, input }: TaskCall, library: Library, answers: Answered[]) {
  const resolved: Record<string, unknown> = tool === 'search' ? { query: question, ...input } : { ...input };
  for (const [name, value] of Object.entries(resolved)) {
    const [, kind, of = ''] = /^\$(id|goal|cursor):(.+)$/.exec(typeof value === 'string' ? value : '') ?? [];
    if (kind === undefined) continue;
    if (kind === 'cursor') {
      const { nextCursor } = (answers[Number(of)]?.structured ?? {}) as { nextCursor?: string };
      if (nextCursor === undefined) return null;
      resolved[name] = nextCursor;
      continue;
    }
    const id = kind === 'id' ? library.items.get(of)?.id : library.goals.get(of);
    if (id === undefined) throw new Error(`there is no ${of} in the library`);
    if (!answers.some(({ text }) => text.includes(id))) return null;
    resolved[name] = id;
  }
  return resolved;
}

async function perform(client: TestClient, task: AnswerTask, library: Library): Promise<Outcome> {
  const answers: Answered[] = [];
  const admissions: boolean[] = [];
  let [written, unwanted, isFoundAtOnce] = [0, 0, false];
  const ids = (key: string) => library.items.get(key)?.id ?? '';
  const missing = () => {
    const given = answers.map(({ structured }) => structured);
    return task.holds.filter((one) => !isHeld(one, given, ids)).map(({ item, text }) => `${item}: ${text}`);
  };
  for (const call of task.calls) {
    if (call.ifMissing === true && missing().length === 0) continue;
    const input = resolveInput(task, call, library, answers);
    if (input === null) continue;
    written += tokensOf(JSON.stringify({ name: call.tool, arguments: input }));
    const answer = await ask(client, call.tool, input);
    answers.push(answer);
    countFields(call.tool, answer.structured, fields);
    if (call.tool === 'search') {
      admissions.push(isAdmitted(answer.structured));
      const wanted = new Set(task.holds.map(({ item }) => ids(item)));
      const others = resultsOf(answer.structured).filter(({ id }) => !wanted.has(id));
      unwanted += others.reduce((sum, result) => sum + tokensOf(JSON.stringify(result)), 0);
    }
    if (answers.length === 1) isFoundAtOnce = missing().length === 0;
  }
  return {
    task,
    tokens: answers.reduce((sum, { text }) => sum + tokensOf(text), 0),
    unwanted,
    written,
    calls: answers.length,
    isFound: missing().length === 0,
    isFoundAtOnce,
    ...firstResult(task, answers[0]?.structured, ids),
    isAdmitted: admissions.length === 0 ? null : admissions.every(Boolean),
    isCalledWeak: admissions[0] === true,
    missing: missing(),
  };
}

const resultsOf = (answer: unknown) => (answer as { results: { id: string; score: number }[] }).results;

function firstResult({ calls, holds }: AnswerTask, answer: unknown, ids: (key: string) => string) {
  if (calls[0]?.tool !== 'search') return { isFirst: null, bestScore: null };
  const [first] = resultsOf(answer);
  return { isFirst: holds.some(({ item }) => ids(item) === first?.id), bestScore: first?.score ?? null };
}

/** Every expectation must stand in the item itself, or the task can never succeed. */
async function checkTasks(app: App, tasks: readonly AnswerTask[], library: Library): Promise<void> {
  for (const { id: task, holds } of tasks) {
    for (const one of holds) {
      const { id = '' } = library.items.get(one.item) ?? {};
      const { place: _place, ...said } = one;
      const item = await app.services.library.get('local', id);
      if (!isHeld(said, [item], () => id)) throw new Error(`${task}: ${one.item} does not say "${one.text}"`);
    }
  }
}

const library = await buildLibrary(corpora, options.rebuild);
const copy = mkdtempSync(join(tmpdir(), 'commonplace-answers-asked-'));
cpSync(library.folder, copy, { recursive: true });
const app = await openLibrary(copy);
const tasks = readTasks();
const outcomes: Outcome[] = [];
const foreign: {
  query: string;
  split: AnswerTask['split'];
  isAdmitted: boolean;
  tokens: number;
  best: number | null;
}[] = [];
let listTokens: Record<string, number>;
try {
  await checkTasks(app, tasks, library);
  const sets = [...shownToolSets({ manageTools: true, highlightTools: false, analyseTools: true })];
  const client = await connectInMemory(app, 'v2 client, 2025-11-25', sets);
  const tools = (await client.listTools()).map(({ name, description, inputSchema }) => ({
    name,
    description,
    inputSchema,
  }));
  listTokens = {
    ...Object.fromEntries(tools.map((tool) => [tool.name, tokensOf(JSON.stringify(tool))])),
    'all tools': tokensOf(JSON.stringify(tools)),
    'instructions of the server': tokensOf(client.instructions() ?? ''),
  };
  for (const task of tasks) outcomes.push(await perform(client, task, library));
  for (const { query, split } of await readForeignQuestions(corpora)) {
    const { text, structured } = await ask(client, 'search', { query });
    const [first] = resultsOf(structured);
    foreign.push({
      query,
      split,
      isAdmitted: isAdmitted(structured),
      tokens: tokensOf(text),
      best: first?.score ?? null,
    });
  }
  for (const { question } of tasks.filter(({ kind }) => kind === 'fact' || kind === 'absent'))
    await askPrompt(client, 'what_do_i_know_about', { topic: question });
  for (const goal of library.goals.keys()) await askPrompt(client, 'plan_from_goal', { goal });
  await askPrompt(client, 'weekly_review', {});
  await client.close();
} finally {
  await app.close();
  rmSync(copy, { recursive: true });
}

const count = <T>(of: readonly T[], test: (one: T) => boolean) => of.filter(test).length;
const round = (value: number) => Math.round(value);
const meanOf = (values: readonly number[]) => (values.length === 0 ? 0 : round(mean(values)));

function summary(of: readonly Outcome[]) {
  const answerable = of.filter(({ task }) => task.kind !== 'absent');
  const searched = answerable.filter(({ isAdmitted }) => isAdmitted !== null);
  const absent = of.filter(({ task }) => task.kind === 'absent');
  return {
    tasks: of.length,
    'tokens a task': meanOf(of.map(({ tokens }) => tokens)),
    'of results not wanted': meanOf(of.map(({ unwanted }) => unwanted)),
    'calls a task': Number((of.length === 0 ? 0 : mean(of.map(({ calls }) => calls))).toFixed(2)),
    'tokens written': meanOf(of.map(({ written }) => written)),
    found: `${count(answerable, ({ isFound }) => isFound)} of ${answerable.length}`,
    'by the first call': `${count(answerable, ({ isFoundAtOnce }) => isFoundAtOnce)} of ${answerable.length}`,
    'right item first': `${count(searched, ({ isFirst }) => isFirst === true)} of ${count(searched, ({ isFirst }) => isFirst !== null)}`,
    'absences admitted': `${count(absent, ({ isAdmitted }) => isAdmitted === true)} of ${absent.length}`,
    'answerable called weak': `${count(searched, ({ isCalledWeak }) => isCalledWeak)} of ${searched.length}`,
  };
}

const splits = { tuning: 'tuning', 'held-out': 'held-out' } as const;
const bySplit = {
  ...Object.fromEntries(
    Object.keys(splits).map((split) => [split, summary(outcomes.filter(({ task }) => task.split === split))]),
  ),
  all: summary(outcomes),
};
const byKind = Object.fromEntries(
  taskKinds.map((kind) => [kind, summary(outcomes.filter(({ task }) => task.kind === kind))]),
);
const costs = (all: ReadonlyMap<string, number[]>) =>
  Object.fromEntries(
    [...all].map(([name, tokens]) => [name, { calls: tokens.length, mean: meanOf(tokens), most: Math.max(...tokens) }]),
  );
const [byTool, byPrompt] = [costs(answerTokens), costs(promptTokens)];
const foreignAdmitted = Object.fromEntries(
  [...Object.keys(splits), 'all'].map((split) => {
    const asked = foreign.filter((one) => split === 'all' || one.split === split);
    return [
      split,
      {
        admitted: `${count(asked, (one) => one.isAdmitted)} of ${asked.length}`,
        'tokens a question': meanOf(asked.map(({ tokens }) => tokens)),
      },
    ];
  }),
);
const lost = outcomes
  .filter(({ missing }) => missing.length > 0)
  .map(({ task, calls, missing }) => ({ id: task.id, question: task.question, calls, missing }));

if (options.json) {
  const tasksAlone = outcomes.map(({ task, ...of }) => ({ id: task.id, kind: task.kind, split: task.split, ...of }));
  const all = {
    bySplit,
    byKind,
    byTool,
    byPrompt,
    toolList: listTokens,
    foreignAdmitted,
    lost,
    tasks: tasksAlone,
    foreign,
  };
  process.stdout.write(`${JSON.stringify({ ...all, fields: shownFields(fields) }, null, 2)}\n`);
} else {
  const table = (title: string, rows: object) => {
    process.stdout.write(`\n${title}\n`);
    console.table(rows);
  };
  table('All tasks', bySplit);
  table('By kind', byKind);
  table('Tokens of an answer, by tool (the questions of other collections are searches, too)', byTool);
  table('Tokens of a prompt', byPrompt);
  table('Tokens of the list of tools', listTokens);
  table('Questions of other collections: absences admitted', foreignAdmitted);
  if (options.fields) table('Where the tokens of the sixty tasks go', shownFields(fields));
  if (options.lost) for (const one of lost) process.stdout.write(`${JSON.stringify(one)}\n`);
}
