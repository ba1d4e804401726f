import type { z } from 'zod';
import { beginningOf } from './text/shortened.ts';
import type { AppError } from '../errors.ts';
import { type FieldProblem, invalidInput } from '../errors.ts';

/** Maximum problems that are named for an invalid input: enough to fix it, whatever its size. */
const maxProblems = 20;
const maxNameLength = 60;

/** The problems for unknown field names. */
export function unknownFields(names: readonly string[], within: readonly PropertyKey[] = []): FieldProblem[] {
  return names.slice(0, maxProblems).map((name) => {
    const shown = name.length > maxNameLength ? `${beginningOf(name, maxNameLength)}…` : name;
    return { path: [...within, shown.toWellFormed()].join('.'), message: 'does not exist here' };
  });
}

/** @param what a sentence that says what is invalid; the problems follow it */
export function refusedInput(what: string, problems: readonly FieldProblem[]): AppError {
  const fields = problems.slice(0, maxProblems);
  const listed = fields.map(({ path, message }) => (path === '' ? message : `${path}: ${message}`)).join('; ');
  return invalidInput(`${what} ${listed}.`, { fields });
}

/** The problems of a schema issue. zod's own messages are rewritten for users; messages that we wrote are kept. */
export function fieldProblems(issue: z.core.$ZodIssue): FieldProblem[] {
  if (issue.code === 'unrecognized_keys') return unknownFields(issue.keys, issue.path);
  const isOurs = !/^(?:Invalid|Too) /.test(issue.message);
  return [{ path: issue.path.join('.'), message: isOurs ? issue.message : inWords(issue) }];
}

function inWords(issue: z.core.$ZodIssue): string {
  switch (issue.code) {
    case 'invalid_type':
      if (issue.message.endsWith('received undefined')) return 'is missing';
      return `must be ${types[issue.expected] ?? issue.expected}`;
    case 'invalid_value':
      // Known where the input was asked for.
      if ('input' in issue && issue.input === undefined)
        return `is missing: give ${issue.values.length === 1 ? '' : 'one of '}${issue.values.map(String).join(', ')}`;
      return `must be ${issue.values.length === 1 ? '' : 'one of '}${issue.values.map(String).join(', ')}`;
    case 'too_small':
      if (issue.origin in countable && Number(issue.minimum) === 1) return 'must not be empty';
      return `must ${bound(issue.origin, 'at least', issue.minimum)}`;
    case 'too_big':
      return `must ${bound(issue.origin, 'at most', issue.maximum)}`;
    default:
      return issue.message;
  }
}

const types: Readonly<Record<string, string>> = {
  string: 'a text',
  number: 'a number',
  int: 'a whole number',
  boolean: 'true or false',
  array: 'a list',
  object: 'an object',
};

const countable: Readonly<Record<string, string>> = { string: 'characters', array: 'entries' };

function bound(origin: string, side: string, size: number | bigint): string {
  const counted = countable[origin];
  return counted === undefined ? `be ${side} ${size}` : `have ${side} ${size} ${counted}`;
}
