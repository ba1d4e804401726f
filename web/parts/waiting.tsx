import type { JSX } from 'preact';
import type { CallError } from '../calls.ts';
import { text } from '../text.ts';

/** Stands where an answer will be: that it is on its way, or why it did not come. */
export function Waiting({ error }: { error: CallError | undefined }): JSX.Element {
  if (error === undefined) return <p class="soft">{text.loading}</p>;
  return <p class="problem">{error.message || text.connectionLost}</p>;
}
