import { Argument, Command } from 'commander';
import type { RunCommand } from '../context.ts';

/** Scripts that ask this program what may come next. A candidate with its description is `name:description`, or has a tab. */
const scripts = {
  bash: `_commonplace() {
  local IFS=$'\\n'
  COMPREPLY=($("\${COMP_WORDS[0]}" completion bash -- "\${COMP_WORDS[@]:1:COMP_CWORD}" 2>/dev/null))
}
complete -o default -F _commonplace commonplace`,
  zsh: `#compdef commonplace
_commonplace() {
  local -a found
  found=("\${(@f)$(commonplace completion zsh -- "\${(@)words[2,CURRENT]}" 2>/dev/null)}")
  [[ -n $found[1] ]] && _describe commonplace found || _files
}
if [ "$funcstack[1]" = _commonplace ]; then _commonplace "$@"; else compdef _commonplace commonplace; fi`,
  fish: `complete -c commonplace -a '(commonplace completion fish -- (commandline -opc)[2..-1] (commandline -ct) 2>/dev/null)'`,
};
type Shell = keyof typeof scripts;

/** @param addAll adds all commands to a program; normally only the named one is loaded */
export function addCompletionCommand(
  program: Command,
  run: RunCommand,
  addAll: (program: Command) => Promise<void>,
): void {
  program
    .command('completion')
    .description('Print a script that completes commands and flags in your shell')
    .addArgument(new Argument('<shell>').choices(Object.keys(scripts)))
    .argument('[word...]', 'what the script asks about: the words of a command line, the last one unfinished')
    .action((shell: Shell, words: string[]) =>
      run(async ({ print }) => {
        if (words.length === 0) return print({ shell, script: scripts[shell] }, () => scripts[shell]);
        const whole = new Command(program.name());
        for (const option of program.options) whole.addOption(option);
        await addAll(whole);
        const found = candidates(whole, words);
        print(found, () => found.map(({ name, about }) => shown(shell, name, about)).join('\n'));
      }),
    );
}

function shown(shell: Shell, name: string, about: string): string {
  if (shell === 'bash') return name;
  return shell === 'fish' ? `${name}\t${about}` : `${name.replaceAll(':', String.raw`\:`)}:${about}`;
}

/** Completes the last of these words. */
export function candidates(program: Command, words: readonly string[]): { name: string; about: string }[] {
  let command = program;
  let flag: string | null = null;
  for (const word of words.slice(0, -1)) {
    const isValue: boolean = flag !== null;
    flag = !isValue && word.startsWith('--') && optionOf(command, program, word)?.required === true ? word : null;
    if (!isValue) command = command.commands.find((child) => child.name() === word) ?? command;
  }
  const last = words.at(-1) ?? '';
  const offered =
    flag !== null
      ? (optionOf(command, program, flag)?.argChoices ?? []).map((name) => ({ name, about: '' }))
      : last.startsWith('-')
        ? [...new Set([...command.options, ...program.options])].flatMap(({ long, hidden, description }) =>
            hidden || !long ? [] : [{ name: long, about: plainLine(description) }],
          )
        : command.commands.map((child) => ({ name: child.name(), about: plainLine(child.description()) }));
  return offered.filter(({ name }) => name.startsWith(last));
}

function optionOf(command: Command, program: Command, name: string) {
  return [...command.options, ...program.options].find(({ long }) => long === name);
}

/** One line, short enough for a list in a terminal, and without characters that shells interpret. */
function plainLine(text: string): string {
  const [line = ''] = text.split(/[\n;.]/);
  return line.replaceAll(/[^\p{L}\p{N} ,()/+-]/gu, '').trim();
}
