import { Command } from 'commander';
import { describe, expect, it } from 'vitest';
import { addInputFlags, CommandWithText, withSwitchesOn } from '../../src/cli/arguments/flags.ts';
import { inputSchema } from '../../src/operations/call.ts';
import { operations } from '../../src/operations/index.ts';

/** What a command line becomes as the input of an operation. */
function inputOf(
  name: string,
  argv: readonly string[],
  argumentNames: readonly string[] = [],
): Record<string, unknown> {
  const operation = operations.find((one) => one.name === name);
  if (operation === undefined) throw new Error(`there is no operation ${name}`);
  const command = new Command(name).exitOverride().configureOutput({ writeErr: () => undefined });
  const read = addInputFlags(command, inputSchema(operation, 'cli'), argumentNames);
  command.parse([...argv], { from: 'user' });
  return read(command.opts());
}

describe('flags', () => {
  it('become the input that the operation declares', () => {
    expect(
      inputOf(
        'search',
        ['--limit', '3', '--tag', 'one', '--tag', 'two, three', '--content-type', 'pdf', '--max-tokens', '900'],
        ['query'],
      ),
    ).toEqual({
      limit: 3,
      filters: { tags: ['one', 'two', 'three'], contentType: 'pdf' },
      maxTokens: 900,
    });
    expect(inputOf('list_actions', ['--completed', 'false', '--goal-id', 'g_x', '--offset', '5'])).toEqual({
      completed: false,
      goalId: 'g_x',
      offset: 5,
    });
    expect(inputOf('list_content', [])).toEqual({});
  });

  it('need no value for booleans, and accept an empty value to clear a list', () => {
    expect(inputOf('list_content', ['--deleted'])).toEqual({ deleted: true });
    expect(inputOf('list_content', ['--deleted', 'false', '--tag', 'x'])).toEqual({ deleted: false, tags: ['x'] });
    expect(inputOf('update_content', ['--tag', '', '--notes', ''], ['id'])).toEqual({ tags: [], notes: '' });
  });

  it('show required values, number ranges and defaults in the help', () => {
    const helpOf = (name: string): string => {
      const operation = operations.find((one) => one.name === name);
      const command = new Command(name).configureHelp({ helpWidth: 200 });
      addInputFlags(command, inputSchema(operation!, 'cli'), []);
      return command.helpInformation();
    };
    expect(helpOf('search')).toMatch(/--limit <number> +How many items at most\. \(1 to 50, default 10\)/);
    expect(helpOf('update_contents')).toMatch(/--id <id> +The ids of the items\. \(required, repeatable\)/);
    expect(helpOf('list_actions')).toMatch(
      /--completed \[true\|false\] +true: those that are done; false: the open ones\.\n/,
    );
    expect(helpOf('list_actions')).toMatch(/--goal-id <value> +Only those that serve this goal\.\n/);
  });

  it.each([
    ['search', ['--limit', 'many']],
    ['search', ['--limit', '']],
    ['list_actions', ['--completed', 'perhaps']],
    ['list_content', ['--status', 'gone']],
    ['list_content', ['--surprise', '1']],
  ])('of %s refuse %j', (name, argv) => {
    expect(() => inputOf(name, argv, name === 'search' ? ['query'] : [])).toThrow(
      expect.objectContaining({ name: 'CommanderError' }),
    );
  });
});

describe('arguments that begin with a dash', () => {
  /** The words and the flags that a command of the program gets. */
  function parsed(...argv: string[]): unknown[] {
    const program = new CommandWithText('commonplace').option('--json').exitOverride();
    program.configureOutput({ writeErr: () => undefined });
    let got: unknown[] = [];
    for (const name of ['search', 'note'])
      program
        .command(name)
        .argument('[words...]')
        .option('--limit <number>')
        .option('--notes <text>')
        .action((words: string[], flags: object) => void (got = [words, flags]));
    for (const child of program.commands) child.copyInheritedSettings(program);
    program.parse(argv, { from: 'user' });
    return got;
  }

  it('are text where they do not look like an option, and keep their position', () => {
    expect(parsed('note', '- [ ] water the plants')).toEqual([['- [ ] water the plants'], {}]);
    expect(parsed('note', 'a', '- b', 'c', '--notes', '- d', '--json')).toEqual([['a', '- b', 'c'], { notes: '- d' }]);
    expect(parsed('note', '---\ntitle: Tea\n---\nGreen.', '-5°', '-')[0]).toEqual([
      '---\ntitle: Tea\n---\nGreen.',
      '-5°',
      '-',
    ]);
    expect(parsed('note', '--limit is a flag', '--', '--limit')[0]).toEqual(['--limit is a flag', '--limit']);
  });

  it('are refused where they look like an unknown option', () => {
    for (const mistyped of ['--tagg', '-tag', '--no-such=1', '-x', '-custard'])
      expect(() => parsed('note', mistyped)).toThrow(/unknown option/);
  });

  it('are excluded words in a search, at any position', () => {
    expect(parsed('search', 'rhubarb', '-custard', '--limit', '3')).toEqual([['rhubarb', '-custard'], { limit: '3' }]);
    expect(parsed('--json', 'search', '-custard', '-"rice pudding"')[0]).toEqual(['-custard', '-"rice pudding"']);
    expect(parsed('search', 'cold', '-5', '-', '--', '-custard')[0]).toEqual(['cold', '-5', '-', '-custard']);
  });
});

describe('settings that are on or off', () => {
  it('need no value on the command line', () => {
    expect(withSwitchesOn(['serve', '--api-v1'])).toEqual(['serve', '--api-v1=true']);
    expect(withSwitchesOn(['--metrics', 'serve', '--port', '0'])).toEqual(['--metrics=true', 'serve', '--port', '0']);
    expect(withSwitchesOn(['--metrics', '--api-v1', 'off', 'serve'])).toEqual([
      '--metrics=true',
      '--api-v1',
      'off',
      'serve',
    ]);
  });

  it('keep a given value, and words after -- are not flags', () => {
    const argv = ['--metrics=false', '--log-level', 'info', 'search', '--', '--api-v1'];
    expect(withSwitchesOn(argv)).toEqual(argv);
  });
});
