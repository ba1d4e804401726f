import { expect, it } from 'vitest';
import { addCommands } from '../../src/cli/commands/commands.ts';
import { buildProgram } from '../../src/cli/program.ts';
import { commandGroups } from '../../src/cli/root-help.ts';

const program = buildProgram('1.2.3');
await addCommands(program, () => Promise.resolve());

it('the help of the program names each command once, on one screen', () => {
  const help = program.helpInformation();
  const lines = help.trimEnd().split('\n');
  expect(lines.length).toBeLessThanOrEqual(24);
  expect(Math.max(...lines.map((line) => line.length))).toBeLessThanOrEqual(100);
  const listed = commandGroups.flatMap(([, commands]) => commands);
  const names = [...program.commands.map((command) => command.name()), 'help'];
  expect(listed.toSorted()).toEqual(names.toSorted());
  for (const [group, commands] of commandGroups)
    expect(help).toContain(`  ${group.padEnd(16)} ${commands.join(', ')}\n`);
  expect(help).toContain('--data <folder>');
});

it('a command has its own help', () => {
  const save = program.commands.find((command) => command.name() === 'save');
  expect(save?.helpInformation()).toContain('Usage: commonplace save');
});
