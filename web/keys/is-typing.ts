const typed = 'input:not([type=checkbox], [type=radio]), textarea, select, [contenteditable]';

/** Somebody writes, or chooses: keys are letters there. */
export function isTyping(target: EventTarget | null): boolean {
  return target instanceof HTMLElement && target.closest(typed) !== null;
}
