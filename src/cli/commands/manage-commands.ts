import type { Command } from 'commander';
import { updateAction } from '../../operations/actions.ts';
import { listContent } from '../../operations/content/read-content.ts';
import { listGoals, updateGoal } from '../../operations/goals.ts';
import type { Operation } from '../../operations/operation.ts';
import type { RunCommand } from '../context.ts';
import { commandAt, showOperation } from './operation-commands.ts';

/** Adds shortcuts: commands that run an operation with certain inputs. */
export function addManageCommands(program: Command, run: RunCommand): void {
  const add = (
    words: readonly string[],
    about: string,
    operation: Operation,
    input: (...given: string[]) => object,
  ) => {
    const names = words.filter((word) => !word.startsWith('<'));
    const args = words.slice(names.length);
    const command = commandAt(program, names).description(about);
    for (const word of args) command.argument(word);
    const typed = {
      words: names,
      names: new Map([
        ['id', '<id>'],
        ['goalId', '<goal-id>'],
      ]),
    };
    command.action((...parsed: unknown[]) =>
      run((context) => showOperation(context, operation, input(...parsed.slice(0, args.length).map(String)), typed)),
    );
  };
  commandAt(program, ['action']).description('Add, dismiss, reopen and change action items');
  add(['action', 'dismiss', '<id>'], 'Dismiss an action item', updateAction, (id) => ({ id, state: 'dismissed' }));
  add(['action', 'reopen', '<id>'], 'Reopen an action item', updateAction, (id) => ({ id, state: 'open' }));
  add(['action', 'goal', '<id>', '<goal-id|none>'], 'Link an action item to a goal', updateAction, (id, goal) => ({
    id,
    goalId: goal === 'none' ? '' : goal,
  }));
  commandAt(program, ['highlight']).description('Mark words of saved items, and change and delete what is marked');
  commandAt(program, ['tag']).description('Rename and merge tags');
  commandAt(program, ['goal']).description('Add, change, archive and list goals');
  add(['goal', 'list'], 'List goals', listGoals, () => ({}));
  add(
    ['goal', 'archive', '<id>'],
    'Archive a goal: it keeps its action items and gets no new ones',
    updateGoal,
    (id) => ({
      id,
      archived: true,
    }),
  );
  add(['goal', 'unarchive', '<id>'], 'Use an archived goal again', updateGoal, (id) => ({ id, archived: false }));
  commandAt(program, ['trash'])
    .description('List deleted items that can still be restored')
    .option('--offset <number>', 'skip so many of the newest', Number)
    .action(({ offset = 0 }: { offset?: number }) =>
      run((context) =>
        showOperation(
          context,
          listContent,
          { deleted: true, limit: 100, offset },
          { words: ['trash'], names: new Map([['offset', '--offset']]) },
        ),
      ),
    );
}
