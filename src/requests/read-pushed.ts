import { z } from 'zod';
import { pushedCaptions, pushedText } from '../domain/pushed-content.ts';
import { fieldProblems, refusedInput } from '../domain/refused-input.ts';
import type { Resource } from '../domain/resource.ts';
import { parseJsonBytes } from './json-bytes.ts';
import { pushedOriginal } from './pushed-original.ts';
import type { RequestTask } from './request-protocol.ts';

const pushed = z.object({
  title: z.string().optional(),
  text: pushedText.optional(),
  html: pushedText.optional(),
  captions: z.union([pushedText, pushedCaptions]).optional(),
});

/**
 * Makes the original of what a client handed over; null when it handed over nothing.
 * @throws {AppError} `invalid_input` naming the fields that are wrong
 */
export function readPushed(task: RequestTask & { kind: 'original' }): Resource | null {
  const given = Object.fromEntries(
    Object.entries(task.pushed).map(([name, value]) => [
      name,
      // A list of captions is an object, too, and has no such field.
      typeof value === 'object' && 'json' in value ? parseJsonBytes(value.json) : value,
    ]),
  );
  const checked = pushed.safeParse(given);
  if (!checked.success) {
    throw refusedInput('What is handed over is not valid.', checked.error.issues.flatMap(fieldProblems));
  }
  return pushedOriginal(new URL(task.url), checked.data, task.fetchedAt);
}
