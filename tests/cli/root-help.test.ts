import { expect, it } from 'vitest';
import { addCommands } from '../../src/cli/commands/commands.ts';
import { buildProgram } from '../../src/cli/program.ts';
import { commandGroups, wholeHelp } from '../../src/cli/root-help.ts';

const program = buildProgram('1.2.3');
await addCommands(program, () => Promise.resolve());

const names = [...program.commands.map((command) => command.name()), 'help'];

it("the program's help fits on one screen and shows the usual commands", () => {
  const lines = program.helpInformation().trimEnd().split('\n');
  expect(lines.length).toBeGreaterThanOrEqual(24);
  expect(lines.length).toBeLessThanOrEqual(40);
  expect(Math.max(...lines.map((line) => line.length))).toBeLessThanOrEqual(100);
  for (const name of commandGroups.flatMap(({ usual }) => usual))
    expect(lines.some((line) => line.startsWith(`  ${name} `))).toBe(true);
  expect(lines.join()).toContain('--data <folder>');
});

it('the full help has each command once', () => {
  const listed = commandGroups.flatMap(({ usual, others }) => [...usual, ...others]);
  expect(listed.toSorted()).toEqual(names.toSorted());
  const help = wholeHelp(program);
  for (const command of program.commands.flatMap((one) => (one.commands.length > 0 ? one.commands : [one])))
    expect(help).toContain(command.name());
});

it('a command has its own help', () => {
  const save = program.commands.find((command) => command.name() === 'save');
  expect(save?.helpInformation()).toContain('Usage: commonplace save');
});
