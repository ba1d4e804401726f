/*
 * Whoever finds that something failed does not know whether it is tried again: that depends on how often it was tried. So the reason of
 * a failure says nothing of it, and what will happen is added to it where the failure is shown.
 */

const goesOn = 'It is tried again by itself.';

/** The reason of a failure, and whether it is tried again. */
export function failureWords(
  reason: string,
  { attempts, isRetryable, isWaiting }: { attempts: number; isRetryable: boolean; isWaiting: boolean },
): string {
  if (isWaiting) return `${reason} ${goesOn}`;
  if (!isRetryable) return reason;
  return `${reason} It was given up after ${attempts === 1 ? 'one attempt' : `${attempts} attempts`}; \`commonplace retry\` tries again.`;
}
