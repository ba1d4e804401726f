/** `-custard`, `-"rice pudding"`: a minus and a word. `-h` is help, and `-5` a number. */
const excludedWord = /^-["“„«]?\p{L}[\p{L}\p{N}]/u;

/**
 * `search rhubarb -custard` leaves out what says custard, as everywhere else, and is not asked for an option of that name: such words
 * of a search go behind `--`.
 */
export function excludedWordsLast(argv: readonly string[]): string[] {
  const command = argv.indexOf('search');
  if (command < 0) return [...argv];
  const end = argv.includes('--') ? argv.indexOf('--') : argv.length;
  const isExcluded = (word: string, at: number) => at > command && at < end && excludedWord.test(word);
  const excluded = argv.filter(isExcluded);
  if (excluded.length === 0) return [...argv];
  const rest = argv.slice(0, end).filter((word, at) => !isExcluded(word, at));
  return [...rest, '--', ...excluded, ...argv.slice(end + 1)];
}
