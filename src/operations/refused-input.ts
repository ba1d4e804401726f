import { beginningOf } from '../domain/shortened.ts';
import { AppError, type FieldProblem } from '../errors.ts';

/** What is named of a bad input: enough to mend it, whatever its size. */
const mostProblems = 20;
const longestName = 60;

/** The problems of names that are no inputs here. */
export function unknownFields(names: readonly string[], within: readonly PropertyKey[] = []): FieldProblem[] {
  return names.slice(0, mostProblems).map((name) => {
    const shown = name.length > longestName ? `${beginningOf(name, longestName)}…` : name;
    return { path: [...within, shown.toWellFormed()].join('.'), message: 'does not exist here' };
  });
}

/** @param what is not valid, in a sentence; the problems follow it */
export function refusedInput(what: string, problems: readonly FieldProblem[]): AppError {
  const fields = problems.slice(0, mostProblems);
  const listed = fields.map(({ path, message }) => (path === '' ? message : `${path}: ${message}`)).join('; ');
  return new AppError('invalid_input', `${what} ${listed}.`, { fields });
}
