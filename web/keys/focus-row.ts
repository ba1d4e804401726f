/* What one goes through by keys: saved items, what a search found, and the paragraphs of a text. */

const [rows, blocks] = ['.row h2 a, .result h2 a', '.text .block'];

/**
 * Focuses the next row or the one before; without one, the first that is on the screen. Beside the list, a text comes first.
 * @returns whether there is one
 */
export function focusRow(step: 1 | -1): boolean {
  const isInList = (document.activeElement?.closest('.list') ?? null) !== null;
  const wanted = !isInList && document.querySelector(blocks) !== null ? blocks : rows;
  const all = [...document.querySelectorAll<HTMLElement>(wanted)];
  const at = all.findIndex((row) => row === document.activeElement);
  const next = at === -1 ? all.find((row) => row.getBoundingClientRect().top >= 0) : all[at + step];
  next?.focus();
  return next !== undefined;
}

/** The arrow keys go from the field to the first row, from row to row, and from the first back to the field. */
export function moveFocus(event: KeyboardEvent): void {
  const isDown = event.key === 'ArrowDown';
  if ((!isDown && event.key !== 'ArrowUp') || event.shiftKey || event.isComposing) return;
  const field = document.querySelector<HTMLInputElement>('.search input');
  if (!isDown && event.target === field) return;
  event.preventDefault();
  if (!focusRow(isDown ? 1 : -1) && !isDown) field?.select();
}

const typed = 'input:not([type=checkbox], [type=radio]), textarea, select, [contenteditable]';

/** Somebody writes, or chooses: keys are letters there. */
export function isTyping(target: EventTarget | null): boolean {
  return target instanceof HTMLElement && target.closest(typed) !== null;
}
