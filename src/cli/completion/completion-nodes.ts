import type { Command } from 'commander';

/** What can be typed at one point of a command line. */
export interface CompletionNode {
  /** The words of the command, without the program's name: `[]`, `['goal']`, `['goal', 'add']`. */
  path: string[];
  commands: { name: string; about: string }[];
  flags: CompletionFlag[];
}

export interface CompletionFlag {
  name: string;
  about: string;
  /** Whether the next word is its value. */
  takesValue: boolean;
  /** The values it allows, when they are few. */
  values: readonly string[];
}

/** One line, short enough for a list in a terminal, and without characters that shells interpret. */
function plainLine(text: string): string {
  const [line = ''] = text.split(/[\n;.]/);
  return line.replaceAll(/[^\p{L}\p{N} ,()/+-]/gu, '').trim();
}

function flagsOf(command: Command): CompletionFlag[] {
  return command.options.flatMap((option) =>
    option.long === undefined || option.long === null || option.hidden
      ? []
      : [
          {
            name: option.long,
            about: plainLine(option.description),
            takesValue: option.required,
            values: option.argChoices ?? [],
          },
        ],
  );
}

/** All commands with what may follow them, the program itself first. */
export function completionNodes(program: Command): CompletionNode[] {
  const shared = flagsOf(program).filter(({ name }) => name !== '--version');
  const visit = (command: Command, path: string[]): CompletionNode[] => [
    {
      path,
      commands: command.commands.map((child) => ({ name: child.name(), about: plainLine(child.description()) })),
      flags: path.length === 0 ? flagsOf(command) : [...flagsOf(command), ...shared],
    },
    ...command.commands.flatMap((child) => visit(child, [...path, child.name()])),
  ];
  return visit(program, []);
}
