import type { LibraryProblems, Stores } from '../../store/store.ts';
import type { Check } from '../operating/inspection.ts';

/** Maximum number of accounts or files to name for each kind of problem. */
const maxShown = 5;

/**
 * Checks that every account has its library and every library an account. `unusable`: the accounts whose library cannot
 * be used.
 */
export async function checkLibraryFiles(stores: Stores): Promise<{ check: Check; unusable: string[] }> {
  const problems = await stores.checkLibraries();
  return { check: describe(problems), unusable: problems.unusable.map(({ accountId }) => accountId) };
}

function describe({ unusable, unknown }: LibraryProblems): Check {
  const name = 'Library files';
  const said: string[] = [];
  const todo: string[] = [];
  if (unusable.length > 0) {
    const shown = unusable.slice(0, maxShown);
    said.push(
      `${unusable.length} cannot be used (${listed(
        shown.map(({ accountId }) => accountId),
        unusable.length,
      )})`,
    );
    todo.push(...new Set(shown.map(({ message }) => message)));
  }
  if (unknown.length > 0) {
    said.push(`${unknown.length} belong to no account (${listed(unknown.slice(0, maxShown), unknown.length)})`);
    todo.push(`commonplace account adopt ${unknown[0]} makes one an account's; remove what is not wanted.`);
  }
  if (said.length === 0) return { name, state: 'ok', detail: 'every account has its own' };
  return { name, state: unusable.length > 0 ? 'error' : 'warning', detail: said.join('; '), fix: todo.join(' ') };
}

function listed(names: readonly string[], count: number): string {
  return [...names, ...(count > names.length ? ['…'] : [])].join(', ');
}
