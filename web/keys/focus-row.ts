/* What one goes through by keys: saved items, what a search found, and the paragraphs of a text. */

const [rows, blocks] = ['.row h2 a, .result h2 a', '.text .block'];

/** Focuses the next row or the one before; without one, the first that is on the screen. Beside the list, a text comes first. */
export function focusRow(step: 1 | -1): void {
  const isInList = (document.activeElement?.closest('.list') ?? null) !== null;
  const wanted = !isInList && document.querySelector(blocks) !== null ? blocks : rows;
  const all = [...document.querySelectorAll<HTMLElement>(wanted)];
  const at = all.findIndex((row) => row === document.activeElement);
  const next = at === -1 ? all.find((row) => row.getBoundingClientRect().top >= 0) : all[at + step];
  next?.focus();
}
