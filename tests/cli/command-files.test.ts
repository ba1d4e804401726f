import { Command } from 'commander';
import { expect, test } from 'vitest';
import { addCommands, commandFiles } from '../../src/cli/commands/commands.ts';

const never = () => Promise.resolve();

async function namesFor(argv?: readonly string[]): Promise<string[]> {
  const program = new Command();
  await addCommands(program, never, argv);
  return program.commands.map((command) => command.name());
}

const files = await Promise.all(
  commandFiles.map(async ({ names, load }) => ({ names: typeof names === 'object' ? names : await names(), load })),
);

test.each(files)('$names are all the commands of their file', async ({ names, load }) => {
  const program = new Command();
  (await load())(program, never);
  expect(program.commands.map((command) => command.name()).sort()).toEqual([...names].sort());
});

test('a command line loads the command that it names, even if another command has a subcommand of that name', async () => {
  expect(await namesFor(['--data', '/tmp/x', 'stdio'])).toEqual(['stdio']);
  expect(await namesFor(['--json', '--log-level=error', 'stdio'])).toEqual(['stdio']);
  const names = await namesFor(['search', 'what', 'is', 'stdio']);
  expect(names).toEqual(expect.arrayContaining(['search', 'stdio']));
  // Of the commands in the file of `search`, only the one that is named.
  expect(names).not.toContain('list');
});

test('the version is printed without loading any command', async () => {
  expect(await namesFor(['--version'])).toEqual([]);
});

test.each([[[]], [['--help']], [['help', 'save']], [['sav']], [['serch', 'list']]])(
  '%j knows all commands',
  async (argv) => {
    expect(await namesFor(argv)).toEqual(await namesFor());
    expect(await namesFor(argv)).toEqual(expect.arrayContaining(files.flatMap(({ names }) => names)));
  },
);
