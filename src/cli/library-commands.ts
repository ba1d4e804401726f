import type { Command } from 'commander';
import { newGoal } from '../domain/goal.ts';
import { AppError } from '../errors.ts';
import type { CommandContext, RunCommand } from './context.ts';
import { renderSummary } from './output.ts';

/** `retry` and `goal add`: what a person does with the library that is no operation of an assistant's. */
export function addLibraryCommands(program: Command, run: RunCommand): void {
  program
    .command('retry')
    .description('Queue a failed item again')
    .argument('<id>')
    .action((id: string) => run((context) => retry(context, id)));
  program
    .command('goal')
    .description('Manage goals')
    .command('add')
    .description('Add a goal')
    .argument('<title>')
    .requiredOption('--category <category>', 'Health, Wealth or Relationships')
    .option('--description <text>', 'what reaching it looks like')
    .action((title: string, options: object) => run((context) => addGoal(context, { title, ...options })));
}

async function retry(context: CommandContext, id: string): Promise<void> {
  const app = await context.open();
  const item = await app.services.library.retry(context.caller.accountId, id);
  context.print(item, () => renderSummary(item));
}

async function addGoal(context: CommandContext, input: object): Promise<void> {
  const parsed = newGoal.safeParse(input);
  if (!parsed.success) {
    throw new AppError(
      'invalid_input',
      parsed.error.issues.map((issue) => `${issue.path.join('.')}: ${issue.message}`).join('; '),
    );
  }
  const app = await context.open();
  const goal = await app.services.goals.add(context.caller.accountId, parsed.data);
  context.print(goal, () => `${goal.id}  ${goal.title} (${goal.category})`);
}
