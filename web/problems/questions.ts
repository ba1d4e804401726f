export const problemsAtOnce = 50;

/** The input of `list_content` for what failed, from `offset` on. */
export function failedInput(offset: number): object {
  return { limit: problemsAtOnce, offset, status: 'failed' };
}
