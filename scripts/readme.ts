/*
 * Keeps the tables of tools, prompts, resources, endpoints, commands and settings in docs/ as the program really has them.
 * `npm run readme` rewrites them between their marks; a test fails when they are stale.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Command } from 'commander';
import { remoteBlock } from '../src/cli/setup/local-server.ts';
import { hosts } from '../src/cli/setup/hosts.ts';
import { permissions, scopeOf } from '../src/domain/access/permission.ts';
import { addCommands } from '../src/cli/commands/commands.ts';
import { buildProgram } from '../src/cli/program.ts';
import { isRunnable } from '../src/cli/root-help.ts';
import { environmentName, flagName } from '../src/settings/config.ts';
import { apiV1Routes } from '../src/http/rest/routes.ts';
import { fixedRoutes, type Route } from '../src/http/rest/routes.ts';
import { prompts } from '../src/mcp/prompts.ts';
import { resources } from '../src/mcp/resources.ts';
import { inputSchema, neededPermissions } from '../src/operations/call.ts';
import { modelWords } from '../src/operations/fields.ts';
import { operations } from '../src/operations/index.ts';
import { type Operation, toolSets } from '../src/operations/operation.ts';
import { lookUpPage } from '../src/operations/capture.ts';
import { secretSettings, type SettingName, settings, settingTopics } from '../src/settings/settings.ts';
import { toolSentences } from './tool-sentences.ts';

const docs = fileURLToPath(new URL('../docs/', import.meta.url));

/** The files with tables, and which. */
export const filesWithTables = {
  'tools.md': ['tools', 'prompts'],
  'http.md': ['endpoints'],
  'api-v1.md': ['endpoints-v1'],
  'keys.md': ['permissions'],
  'commands.md': ['commands'],
  'connecting.md': ['hosts'],
  'settings.md': ['settings'],
} as const;
type FileWithTables = keyof typeof filesWithTables;

function cell(text: string): string {
  return text.replaceAll('|', String.raw`\|`).replaceAll('\n', ' ');
}

function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]) => `| ${cells.map(cell).join(' | ')} |`;
  return [line(head), line(head.map(() => '---')), ...rows.map(line)].join('\n');
}

function toolRow(operation: Operation): string[] {
  const sentence = toolSentences[operation.name];
  if (sentence === undefined)
    throw new Error(`the tool ${operation.name} has no sentence in scripts/tool-sentences.ts`);
  const inputs = Object.entries(inputSchema(operation, 'mcp').shape)
    .filter(([, schema]) => modelWords.get(schema)?.isUnlisted !== true)
    .map(([name, schema]) => `\`${name}${schema.safeParse(undefined).success ? '?' : ''}\``);
  return [`\`${operation.name}\``, sentence, inputs.join(' ')];
}

/** One table for each set of tools. */
function toolTables(): string {
  return toolSets
    .map((set) => {
      const rows = operations.filter((operation) => operation.set === set).map(toolRow);
      return `### \`${set}\`\n\n${table(['Tool', 'What it does', 'Inputs'], rows)}`;
    })
    .join('\n\n');
}

function promptTable(): string {
  const code = (words: readonly string[]) => words.map((word) => `\`${word}\``).join(' ');
  return table(
    ['Prompt or resource', 'What it is', 'Scopes'],
    [
      ...prompts.map(({ name, description, arguments: given, scopes }) => [
        code([
          name,
          ...Object.entries(given).map(([argument, { schema }]) => `{${argument}${schema().isOptional() ? '?' : ''}}`),
        ]),
        description,
        code(scopes),
      ]),
      ...resources.map(({ uri, about, scope }) => [code([uri]), about, code([scope])]),
    ],
  );
}

function endpointTable(published: readonly Route[], heading: 'Scope' | 'Permission'): string {
  return table(
    ['Endpoint', 'What it does', 'Takes', heading],
    published.map(({ http, title, input, permission }) => {
      const taken = Object.keys(input.shape).filter((name) => !http.path.includes(`:${name}`));
      return [
        `\`${http.method.toUpperCase()} ${http.path}\``,
        title,
        taken.map((name) => `\`${name}\``).join(' '),
        `\`${permission}\``,
      ];
    }),
  );
}

/** Each permission, the operations that need it, and the scope by which a token has it. */
function permissionTable(): string {
  return table(
    ['Permission', 'What needs it', 'A token has it by the scope'],
    permissions.map((one) => {
      const needing = [...operations, lookUpPage].filter((operation) => neededPermissions(operation).includes(one));
      const scope = scopeOf(one);
      return [
        `\`${one}\``,
        needing
          .map(({ title, permission }) => (permission === one ? title : `${title} (with \`${permission}\`)`))
          .join('; ') || 'nothing yet',
        scope === null ? 'none' : `\`${scope}\``,
      ];
    }),
  );
}

function runnable(command: Command): Command[] {
  return [...(isRunnable(command) ? [command] : []), ...command.commands.flatMap(runnable)];
}

function commandLineOf(command: Command): string {
  const names = [];
  for (let at: Command | null = command; at !== null; at = at.parent) names.unshift(at.name());
  const given = command.registeredArguments.map((argument) => {
    const name = `${argument.name()}${argument.variadic ? '…' : ''}`;
    return argument.required ? `<${name}>` : `[${name}]`;
  });
  return [...names, ...given].join(' ');
}

async function commandTable(): Promise<string> {
  const program = buildProgram('');
  await addCommands(program, () => Promise.resolve());
  return table(
    ['Command', 'What it does', 'Flags'],
    program.commands.flatMap(runnable).map((command) => {
      const flags = command.options.map((option) => `\`${option.long ?? ''}\``);
      return [`\`${commandLineOf(command)}\``, command.description(), flags.join(' ')];
    }),
  );
}

/** One table for each topic. */
function settingTables(): string {
  const head = ['Setting', 'What it does', 'Default', 'Flag · environment'];
  const rowOf = (name: SettingName) => {
    const schema = settings.shape[name];
    return [
      `\`${name}\``,
      schema.description ?? '',
      String(schema.parse(undefined)) === '' ? 'none' : `\`${String(schema.parse(undefined))}\``,
      secretSettings.has(name)
        ? `\`${environmentName(name)}\` · \`${environmentName(name)}_FILE\``
        : `\`${flagName(name)}\` · \`${environmentName(name)}\``,
    ];
  };
  const data = [
    '`data`',
    'Folder that holds everything.',
    "the platform's user data folder",
    `\`--data\` · \`${environmentName('data')}\``,
  ];
  return settingTopics
    .map((topic, place) => {
      const rows = (Object.keys(topic.settings) as SettingName[]).map((name) => rowOf(name));
      return `## ${topic.title}\n\n${table(head, place === 0 ? [data, ...rows] : rows)}`;
    })
    .join('\n\n');
}

function hostTable(): string {
  const machines = (
    [
      ['Linux', 'linux'],
      ['macOS', 'darwin'],
      ['Windows', 'win32'],
    ] as const
  ).map(([title, platform]) => ({ title, machine: { platform, home: '~', environment: {} } }));
  return table(
    ['Assistant', '`--host`', 'Its configuration', 'A server elsewhere'],
    hosts.map((host) => {
      const places = machines.map(({ title, machine }) => ({
        title,
        files: host.files(machine).map((file) => `\`${file.replaceAll('\\', '/')}\``),
      }));
      const shared = places.filter(({ files }) => files.join() === places[0]?.files.join());
      const others = places.filter((place) => !shared.includes(place));
      const own = others.map(({ title, files }) => `${title}: ${files.join(' or ')}`);
      const remote = remoteBlock(host, { url: 'https://library.example.com/mcp', token: null });
      return [
        host.name,
        `\`${host.id}\``,
        [
          `${others.length === 0 ? '' : `${shared.map(({ title }) => title).join(', ')}: `}${places[0]?.files.join(' or ') ?? ''}`,
          ...own,
        ].join('; '),
        remote === null ? 'no' : 'yes',
      ];
    }),
  );
}

/** The text of one of the files with its tables rebuilt. */
export async function withFreshTables(name: FileWithTables, text: string): Promise<string> {
  const tables = {
    tools: toolTables,
    prompts: promptTable,
    endpoints: () => endpointTable(fixedRoutes(operations), 'Scope'),
    'endpoints-v1': () => endpointTable(apiV1Routes(operations), 'Permission'),
    permissions: permissionTable,
    commands: commandTable,
    hosts: hostTable,
    settings: settingTables,
  };
  let fresh = text;
  for (const table of filesWithTables[name]) {
    const rows = await tables[table]();
    const marked = new RegExp(`(<!-- ${table} -->\n)[\\s\\S]*?(\n<!-- /${table} -->)`);
    if (!marked.test(fresh)) throw new Error(`docs/${name} has no place for the table of ${table}`);
    fresh = fresh.replace(marked, (_, before: string, after: string) => `${before}\n${rows}\n${after}`);
  }
  return fresh;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  for (const name of Object.keys(filesWithTables) as FileWithTables[]) {
    const path = join(docs, name);
    writeFileSync(path, await withFreshTables(name, readFileSync(path, 'utf8')));
  }
}
