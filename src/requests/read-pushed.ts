import { maxPushedCaptions, pushedText, timedCaption } from '../domain/records/pushed-content.ts';
import { fieldProblems, refusedInput } from '../domain/refused-input.ts';
import type { Resource } from '../domain/records/resource.ts';
import type { FieldProblem } from '../errors.ts';
import { parseJsonBytes } from './json-bytes.ts';
import { pushedOriginal, type Pushed } from './pushed-original.ts';
import type { RequestTask } from './request-protocol.ts';

/**
 * Validation stops after this many problems. More of them help nobody, and a hostile list has hundreds of thousands.
 */
const maxProblems = 20;

/**
 * Makes the original from the content that a client sent; null when it sent none.
 * @throws {AppError} `invalid_input` naming the fields that are wrong
 */
export function readPushed(task: RequestTask & { kind: 'original' }): Resource | null {
  const problems: FieldProblem[] = [];
  const given = Object.entries(task.pushed).map(([name, value]) => {
    // Parsed captions are an array, which has no `json` field.
    if (typeof value !== 'object' || !('json' in value)) return [name, value];
    const read = parseJsonBytes(value.json);
    problems.push(...(Array.isArray(read) ? captionProblems(name, read) : textProblems(name, read)));
    return [name, read];
  });
  if (problems.length > 0) throw refusedInput('What was sent is not valid.', problems);
  return pushedOriginal(new URL(task.url), Object.fromEntries(given) as Pushed, task.fetchedAt);
}

function textProblems(name: string, text: unknown): FieldProblem[] {
  const issues = pushedText.safeParse(text).error?.issues ?? [];
  return issues.flatMap((issue) => fieldProblems({ ...issue, path: [name] }));
}

function captionProblems(name: string, captions: readonly unknown[]): FieldProblem[] {
  if (captions.length > maxPushedCaptions)
    return [{ path: name, message: `must have at most ${maxPushedCaptions} entries` }];
  const problems: FieldProblem[] = [];
  for (const [index, caption] of captions.entries()) {
    const issues = timedCaption.safeParse(caption).error?.issues ?? [];
    problems.push(...issues.flatMap((issue) => fieldProblems({ ...issue, path: [name, index, ...issue.path] })));
    if (problems.length >= maxProblems) break;
  }
  return problems;
}
