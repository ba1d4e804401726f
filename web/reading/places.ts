import { useEffect } from 'preact/hooks';
import { useStore } from '../store.ts';

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

const name = 'places';
const maxPlaces = 300;
const rememberMs = 400;
/** Nearer to the top than this, nothing was read yet. */
const minScrolled = 200;
/** What stands so far below the top of the screen is being read. It is a little more than the `scroll-margin-top` of a block: opening a place again does not move it. */
const lineOfSight = 120;

/** The places that were read last, the newest at the end. */
type Places = [id: string, offset: number][];

/** Goes to where the person was in this text, unless the address names a place, and remembers where they are. */
export function useKeptPlace(id: string): void {
  const { kept } = useStore();
  useEffect(() => {
    const before = kept.get<Places>(name)?.find(([one]) => one === id)?.[1];
    if (before !== undefined && wantedOffset(location.hash) === null) showPlace(before, true);
    let timer: ReturnType<typeof setTimeout> | undefined;
    const remember = (): void => {
      timer = undefined;
      const { scrollHeight } = document.documentElement;
      const isAtEdge = scrollY < minScrolled || scrollY + innerHeight > scrollHeight - minScrolled;
      const left = document.querySelector('.text')?.getBoundingClientRect().left ?? 0;
      const block = document.elementFromPoint(left + 1, lineOfSight)?.closest('.block');
      if (block === undefined && !isAtEdge) return;
      const others = (kept.get<Places>(name) ?? []).filter(([one]) => one !== id).slice(-maxPlaces);
      const here: Places = isAtEdge ? [] : [[id, Number(block?.getAttribute('data-start'))]];
      const places = [...others, ...here];
      kept.set(name, places.length === 0 ? undefined : places, false);
    };
    const soon = (): void => {
      timer ??= setTimeout(remember, rememberMs);
    };
    document.addEventListener('scroll', soon, { passive: true });
    return () => {
      clearTimeout(timer);
      document.removeEventListener('scroll', soon);
    };
  }, [id]);
}
