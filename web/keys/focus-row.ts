/* What one goes through by keys: saved items, what a search found, and the paragraphs of a text. */

const rows = '.row h2 a, .result h2 a, .text .block';

/** Focuses the next row or the one before; without one, the first that is on the screen. */
export function focusRow(step: 1 | -1): void {
  const all = [...document.querySelectorAll<HTMLElement>(rows)];
  const at = all.findIndex((row) => row === document.activeElement);
  const next = at === -1 ? all.find((row) => row.getBoundingClientRect().top >= 0) : all[at + step];
  next?.focus();
}
