/** `-custard`, `-"rice pudding"`: a minus and a word. `-h` is help, and `-5` is a number. */
const excludedWord = /^-["“„«]?\p{L}[\p{L}\p{N}]/u;

/**
 * Moves the excluded words of a search behind `--`. `search rhubarb -custard` leaves out results that contain custard,
 * as in every interface; without `--`, `-custard` would be read as an option.
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
