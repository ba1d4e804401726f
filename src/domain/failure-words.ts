/*
 * The code that detects a failure does not know whether it will be retried: that depends on the number of attempts. So
 * the stored reason does not mention retries. They are added where the failure is shown.
 */

const goesOn = 'It is tried again by itself.';

/** The reason of a failure, followed by whether it is retried. */
export function failureWords(
  reason: string,
  { attempts, isRetryable, isWaiting }: { attempts: number; isRetryable: boolean; isWaiting: boolean },
): string {
  if (isWaiting) return `${reason} ${goesOn}`;
  if (!isRetryable) return reason;
  return `${reason} It was given up after ${attempts === 1 ? 'one attempt' : `${attempts} attempts`}; \`commonplace retry\` tries again.`;
}
