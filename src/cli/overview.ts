import { existsSync } from 'node:fs';
import { listActions } from '../operations/actions.ts';
import { listContent } from '../operations/content/read-content.ts';
import type { Operation } from '../operations/operation.ts';
import { printAction, printSummary } from '../operations/answers/print-item.ts';
import { counted, indented, line, meta, paragraphs, title, type Printed } from '../operations/answers/printed.ts';
import type { ActionItem } from '../domain/records/analyses/action.ts';
import type { ContentStatus, ContentSummary } from '../domain/records/content.ts';
import { callLocally } from './call-locally.ts';
import type { CommandContext } from './context.ts';

interface List<Record> {
  items: Record[];
  total: number;
}

interface Overview {
  items: number;
  waiting: number;
  failed: number;
  newest: ContentSummary[];
  openActions: number;
  actions: ActionItem[];
}

const shownItems = 3;
const shownActions = 3;

/** Printed on a terminal when the program is called without a command. Creates no data folder. */
export async function showOverview(context: CommandContext): Promise<void> {
  const overview =
    existsSync(context.config.data) || context.config.databaseUrl !== '' ? await readOverview(context) : null;
  const isEmpty = overview === null || overview.items === 0;
  context.print({ version: context.version, library: overview }, () => [
    line(title(`Commonplace ${context.version}`), ': a personal knowledge base that your AI assistant reads.'),
    line(),
    ...paragraphs(isEmpty ? waysToBegin() : [...printOverview(overview), whatToDo()]),
  ]);
}

async function readOverview(context: CommandContext): Promise<Overview> {
  const app = await context.open();
  const call = async <Record>(operation: Operation, input: object): Promise<List<Record>> =>
    (await callLocally(context, app, operation, input)) as List<Record>;
  const count = async (status: ContentStatus) => (await call(listContent, { status, limit: 1 })).total;
  const newest = await call<ContentSummary>(listContent, { limit: shownItems });
  const actions = await call<ActionItem>(listActions, { completed: false, limit: shownActions });
  return {
    items: newest.total,
    waiting: (await count('pending')) + (await count('processing')),
    failed: await count('failed'),
    newest: newest.items,
    openActions: actions.total,
    actions: actions.items,
  };
}

function printOverview({ items, waiting, failed, newest, openActions, actions }: Overview): Printed[] {
  const counts: Printed = [
    line(`${counted(items, 'saved item')}, ${counted(openActions, 'open action item')}.`),
    ...(waiting === 0
      ? []
      : [line(`${waiting} not processed yet: an assistant's server does it while it runs, or commonplace work.`)]),
    ...(failed === 0 ? [] : [line(`${failed} failed: commonplace list --status failed says why.`)]),
  ];
  return [
    counts,
    [line(title('Newest')), ...indented('  ', newest.flatMap(printSummary))],
    ...(actions.length === 0 ? [] : [[line(title('To do')), ...indented('  ', actions.flatMap(printAction))]]),
  ];
}

function whatToDo(): Printed {
  return commands([
    ['Find something', 'commonplace search "what it was about"'],
    ['Read or open an item', 'commonplace show <id>, commonplace open <id>'],
    ['Connect an assistant', 'commonplace setup'],
    ['Everything else', 'commonplace --help'],
  ]);
}

function waysToBegin(): Printed[] {
  const ways: [what: string, command: string][] = [
    ['Connect your assistant, then tell it "Save https://… for me":', 'commonplace setup'],
    ['Save an address yourself:', 'commonplace save https://en.wikipedia.org/wiki/Commonplace_book --wait'],
    ['Save files of this machine:', 'commonplace save notes.md paper.pdf --wait'],
  ];
  return [
    [line('Nothing is saved yet. Three ways to begin:')],
    ...ways.map(([what, command], index) => [line(`${index + 1}. `, what), line('   ', title(command))]),
    commands([
      ['Then find it again', 'commonplace search "what it was about"'],
      ['Check the installation', 'commonplace doctor'],
      ['Everything else', 'commonplace --help'],
    ]),
    [
      line(
        meta(
          'An assistant starts this program itself. Where its stdin is a pipe, it serves MCP, as commonplace stdio does.',
        ),
      ),
    ],
  ];
}

function commands(rows: readonly [what: string, command: string][]): Printed {
  return rows.map(([what, command]) => line(meta(what.padEnd(24)), command));
}
