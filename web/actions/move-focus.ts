/** In a list of things to do, the arrow keys go from one to the next, over groups; Delete dismisses the one that has the focus, `e` changes it. */
export function moveFocus(event: KeyboardEvent & { currentTarget: Element }): void {
  const target = event.target as Element;
  const row = target.closest('.action:not(:has(form))');
  if (row === null || event.altKey || event.ctrlKey || event.metaKey) return;
  const button = { Delete: '.dismiss', Backspace: '.dismiss', e: '.edit' }[event.key];
  const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
  if (button !== undefined) row.querySelector<HTMLElement>(button)?.click();
  else if (step !== undefined) {
    const all = [...event.currentTarget.querySelectorAll<HTMLElement>('.tick')];
    all[all.findIndex((tick) => row.contains(tick)) + step]?.focus();
  } else return;
  event.preventDefault();
}
