/**
 * The lines that a change takes out and puts in, as `-` and `+`, with their numbers. Lines around them are not shown:
 * configurations hold other programs' secrets.
 */
export function lineDiff(before: string, after: string): string {
  const [old, fresh] = [linesOf(before), linesOf(after)];
  let start = 0;
  while (start < old.length && start < fresh.length && old[start] === fresh[start]) start += 1;
  let [oldEnd, freshEnd] = [old.length, fresh.length];
  while (oldEnd > start && freshEnd > start && old[oldEnd - 1] === fresh[freshEnd - 1]) {
    oldEnd -= 1;
    freshEnd -= 1;
  }
  return [
    `@@ line ${start + 1} @@`,
    ...old.slice(start, oldEnd).map((line) => `- ${line}`),
    ...fresh.slice(start, freshEnd).map((line) => `+ ${line}`),
  ].join('\n');
}

function linesOf(text: string): string[] {
  const lines = text.split(/\r?\n/);
  return lines.at(-1) === '' ? lines.slice(0, -1) : lines;
}
