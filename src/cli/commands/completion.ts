import { Argument, Command } from 'commander';
import { bashScript } from '../completion/bash.ts';
import { fishScript } from '../completion/fish.ts';
import { type CompletionNode, completionNodes } from '../completion/completion-nodes.ts';
import { zshScript } from '../completion/zsh.ts';
import type { RunCommand } from '../context.ts';

const scripts: Readonly<Record<string, (nodes: readonly CompletionNode[]) => string>> = {
  bash: bashScript,
  zsh: zshScript,
  fish: fishScript,
};

/**
 * `completion`: prints a script that completes all commands and their flags.
 * @param addAll adds all commands to a program: a command line loads only those that it names
 */
export function addCompletionCommand(
  program: Command,
  run: RunCommand,
  addAll: (program: Command) => Promise<void>,
): void {
  program
    .command('completion')
    .description('Print a script that completes commands and flags in your shell')
    .addArgument(new Argument('<shell>').choices(Object.keys(scripts)))
    .action((shell: string) =>
      run(async ({ print }) => {
        const whole = new Command(program.name());
        for (const option of program.options) whole.addOption(option);
        await addAll(whole);
        const script = scripts[shell]?.(completionNodes(whole)) ?? '';
        print({ shell, script }, () => script);
      }),
    );
}
