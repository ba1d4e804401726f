/*
 * What a first hour with Commonplace looks like, on this machine alone: the built server is started as a desktop
 * assistant starts it, and a real MCP client saves pages, asks questions and ticks off something to do.
 */
import { execFile } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { localBlock } from '../src/cli/setup/local-server.ts';
import { hostById } from '../src/cli/setup/hosts.ts';
import { startSite } from './site-server.ts';

interface Item {
  id: string;
  title: string;
  status: string;
  summary: string | null;
  /** Left out where there are none, as `actions`. */
  keyInsights?: { text: string }[];
  actions?: { id: string; title: string }[];
  failure?: { message: string };
}

interface Answer {
  /** A link to a passage is the item's `url` followed by the passage's `at`. */
  results: { title: string; url: string; passages: { text: string; at?: string }[] }[];
  /** Absent: by words and meaning. */
  mode?: 'lexical';
  coverage: { searchable: number };
}

interface ActionList {
  /** Without `quote` where it is the title. */
  items: {
    id: string;
    title: string;
    quote?: string;
    url: string;
    at?: string;
  }[];
  total: number;
}

const program = fileURLToPath(new URL('../dist/main.js', import.meta.url));
const say = (text = '') => process.stdout.write(`${text}\n`);
const heading = (text: string) => say(`\n── ${text} ${'─'.repeat(Math.max(3, 76 - text.length))}\n`);

function wrap(text: string, indent: string): string {
  const lines: string[] = [];
  let line = '';
  for (const word of text.replaceAll(/\s+/g, ' ').trim().split(' ')) {
    if (line !== '' && line.length + word.length > 92) {
      lines.push(indent + line);
      line = word;
    } else line = line === '' ? word : `${line} ${word}`;
  }
  return [...lines, indent + line].join('\n');
}

async function call<T>(
  client: Client,
  name: string,
  input: object,
  onprogress?: (message: string) => void,
): Promise<T> {
  const result = await client.callTool(
    { name, arguments: { ...input } },
    onprogress === undefined ? {} : { onprogress: ({ message }) => onprogress(message ?? '') },
  );
  if (result.isError === true) throw new Error(`${name}: ${JSON.stringify(result.content)}`);
  const [part] = result.content as { text?: string }[];
  return JSON.parse(part?.text ?? '') as T;
}

/** In words that the documents do not use. */
const questions = [
  'Why should stimulant drinks be avoided in the evening?',
  'Are cheap passive investments superior to professional stock pickers?',
  'How often do potted crops need moisture during hot weather?',
  'How can grown-ups stop drifting apart from their pals?',
];

async function main(): Promise<void> {
  const began = performance.now();
  const data = await mkdtemp(join(tmpdir(), 'commonplace-demo-'));
  const site = await startSite();
  const args = [program, 'stdio', '--data', data, '--allow-private-addresses', 'true'];
  const client = new Client({ name: 'commonplace-demo', version: '1.0.0' });
  const byWords = new Client({ name: 'commonplace-demo', version: '1.0.0' });
  try {
    heading('A goal, set once on the command line');
    const { stdout } = await promisify(execFile)(process.execPath, [
      program,
      '--data',
      data,
      'goal',
      'add',
      'Drink less coffee',
      '--category',
      'health',
      '--description',
      'One cup in the morning, none after lunch',
    ]);
    say(`$ commonplace goal add "Drink less coffee" --category health\n${stdout.trim()}`);

    heading('The assistant starts the server and looks at its tools');
    await client.connect(new StdioClientTransport({ command: process.execPath, args, stderr: 'inherit' }));
    const { tools } = await client.listTools();
    say(tools.map((tool) => tool.name).join(', '));

    heading('"Save these six for me: one is a talk, read by its captions, one a PDF."');
    for (const page of ['sleep.html', 'fees.html', 'friends.html', 'focus-note.md', 'talk.html', 'balcony.pdf']) {
      const steps: string[] = [];
      const item = await call<Item>(
        client,
        'save_content',
        { url: `${site.url}/${page}`, tags: ['demo'], wait: 30 },
        (message) => steps.push(message),
      );
      if (item.status !== 'completed') throw new Error(`${page} ended ${item.status}: ${item.failure?.message ?? ''}`);
      say(
        `✓ ${item.title}\n    ${steps.join(' → ')}\n    ${item.keyInsights?.length ?? 0} insights, ${item.actions?.length ?? 0} action items`,
      );
    }
    const { items } = await call<{ items: Item[] }>(client, 'list_content', { limit: 1 });
    say(`\nThe newest one, in extracted sentences:\n${wrap(items[0]?.summary ?? '', '    ')}`);

    // The same library, asked by words alone: what search would be without the sentence model in the package.
    await byWords.connect(
      new StdioClientTransport({
        command: process.execPath,
        args: [...args, '--embedder', 'none', '--workers', '0'],
        stderr: 'inherit',
      }),
    );
    for (const query of questions) {
      heading(`"${query}"`);
      const answer = await call<Answer>(client, 'search', { query, limit: 1 });
      const result = answer.results[0];
      const passage = result?.passages[0];
      if (result === undefined || passage === undefined) throw new Error(`nothing found for: ${query}`);
      say(
        `${result.title}  (searched ${answer.coverage.searchable} items by ${answer.mode === undefined ? 'words and meaning' : 'words'})`,
      );
      say(`\n${wrap(passage.text, '  │ ')}\n\n  ${result.url}${passage.at ?? ''}\n`);
      const alone = (await call<Answer>(byWords, 'search', { query, limit: 1 })).results[0];
      if (alone === undefined) say('Words alone would have found nothing.');
      else if (alone.passages[0]?.text === passage.text) say('Words alone would have found the same.');
      else
        say(
          `Words alone would have answered with this:\n  ${alone.title}\n${wrap(`${alone.passages[0]?.text.slice(0, 160)}…`, '  ┆ ')}`,
        );
    }

    heading('"What did I want to do for my goal?"');
    const { items: goals } = await call<{ items: { id: string; title: string }[] }>(client, 'list_goals', {});
    const { items: ofGoal } = await call<ActionList>(client, 'list_actions', {
      completed: false,
      goalId: goals[0]?.id,
    });
    const { total: open } = await call<ActionList>(client, 'list_actions', { completed: false, limit: 1 });
    const [first] = ofGoal;
    if (first === undefined) throw new Error('no action item serves the goal');
    for (const action of ofGoal) say(`[ ] ${action.title}`);
    say(`(${open - ofGoal.length} more are open that serve no goal)`);
    const done = await call<{ title: string; state: string }>(client, 'complete_action', { id: first.id });
    say(
      `\n"Done!"\n[x] ${done.title}\n    It came from: "${(first.quote ?? first.title).trim()}"\n    ${first.url}${first.at ?? ''}`,
    );

    heading(`Done in ${((performance.now() - began) / 1_000).toFixed(1)} s. Now with your own assistant`);
    const server = {
      command: process.execPath,
      args: [program, 'stdio', '--manage-tools', 'true', '--analyse-tools', 'true'],
    };
    for (const host of ['claude-desktop', 'claude-code'].map(hostById)) {
      say(`${host.name}: ${host.place}:\n\n${localBlock(host, server)}\n`);
    }
    say('Or let it be done, for these and other assistants: node dist/main.js setup');
  } finally {
    await Promise.all([client.close(), byWords.close()]);
    site.close();
    await rm(data, { recursive: true, force: true });
  }
}

await main();
