/*
 * Going to a place of the text. Parts of a long text are drawn one after the other while the browser has nothing else to do, so the part of
 * a place may have to be drawn first.
 */

const askers = new Set<(offset: number) => void>();

/** @param draw draws the part that holds an offset, if it is not drawn yet */
export function onPlaceWanted(draw: (offset: number) => void): () => void {
  askers.add(draw);
  return () => askers.delete(draw);
}

/** Scrolls to the block that holds this offset of the stored text. @param isQuiet at once, and without a flash */
export function showPlace(offset: number, isQuiet = false): void {
  for (const draw of askers) draw(offset);
  // The part is in the document after the next drawing.
  requestAnimationFrame(() =>
    requestAnimationFrame(() => {
      const target = blockAt(offset);
      if (target === null) return;
      if (isQuiet) return target.scrollIntoView();
      const isCalm = matchMedia('(prefers-reduced-motion: reduce)').matches;
      target.scrollIntoView({ block: 'center', behavior: isCalm ? 'auto' : 'smooth' });
      target.classList.add('arrived');
      target.addEventListener('animationend', () => target.classList.remove('arrived'), { once: true });
    }),
  );
}

function blockAt(offset: number): Element | null {
  let found: Element | null = null;
  for (const block of document.querySelectorAll('[data-start]')) {
    if (Number(block.getAttribute('data-start')) > offset) break;
    found = block;
  }
  return found;
}

/** The offset that the address names: `#at-120`. */
export function wantedOffset(hash: string): number | null {
  const [, digits] = /^#at-(\d{1,9})$/.exec(hash) ?? [];
  return digits === undefined ? null : Number(digits);
}
