import { useEffect, useRef, useState } from 'preact/hooks';
import type { Reading, ReadItem } from '../data/records.ts';
import { useStore } from '../data/store.ts';

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
      const isTall = target.offsetHeight > innerHeight;
      const depth = depthOf(target, offset);
      if (isQuiet || isTall) target.scrollIntoView();
      if (isQuiet) return scrollBy(0, target.getBoundingClientRect().top + depth - lineOfSight);
      const isCalm = matchMedia('(prefers-reduced-motion: reduce)').matches;
      if (isTall) scrollBy(0, depth - innerHeight / 3);
      else target.scrollIntoView({ block: 'center', behavior: isCalm ? 'auto' : 'smooth' });
      target.classList.add('arrived');
      target.addEventListener('animationend', () => target.classList.remove('arrived'), { once: true });
    }),
  );
}

function blockAt(offset: number): HTMLElement | null {
  let found: HTMLElement | null = null;
  for (const block of document.querySelectorAll<HTMLElement>('[data-start]')) {
    if (Number(block.dataset['start']) > offset) break;
    found = block;
  }
  return found;
}

/** Pixels from the top of a block to this offset, as if each of its characters took the same room. */
function depthOf(block: HTMLElement, offset: number): number {
  const { start, length } = block.dataset;
  return block.getBoundingClientRect().height * Math.min(1, (offset - Number(start)) / Number(length));
}

/** The offset that the address names: `#at-120`. */
export function wantedOffset(hash: string): number | null {
  const [, digits] = /^#at-(\d{1,9})$/.exec(hash) ?? [];
  return digits === undefined ? null : Number(digits);
}

/** Scrolling is over after this time. */
const pauseMs = 400;
/** The server is told so often at most where somebody reads. */
const tellMs = 5_000;
/** Nearer to the top than this, nothing was read yet; nearer to the end, all of it was. */
const minScrolled = 200;
/** What stands so many pixels below the top of the screen is being read. */
const lineOfSight = 110;

/** Where the person was in the texts that this window showed, before the server's answer says so. */
const places = new Map<string, Reading>();

/**
 * Goes to where the person was in this text, on this device or another, unless the address names a place; and tells the server where
 * they are. Who reaches the end has read it.
 * @param isWhole whether the end of the text is drawn
 * @returns how much of the text is above, from 0 to 1
 */
export function useKeptPlace({ id, transcript = '', reading, readAt }: ReadItem, isWhole: boolean): number {
  const store = useStore();
  const [share, setShare] = useState(0);
  const isDrawn = useRef(isWhole);
  isDrawn.current = isWhole;
  const isRead = useRef(readAt !== null);
  useEffect(() => {
    const before = places.get(id) ?? reading;
    const start = before?.start ?? (before === null ? null : Math.floor(before.share * transcript.length));
    if (start !== null && start > 0 && before?.share !== 1 && wantedOffset(location.hash) === null)
      showPlace(start, true);
    const timers: { pause?: Timer | undefined; tell?: Timer | undefined } = {};
    const tell = (): void => {
      clearTimeout(timers.tell);
      timers.tell = undefined;
      const place = places.get(id);
      if (place !== undefined)
        void store.write({ operation: 'update_reading', input: { id, ...place } }).catch(() => undefined);
    };
    const remember = (): void => {
      timers.pause = undefined;
      const place = placeOf(transcript.length, isDrawn.current);
      if (place === undefined) return;
      setShare(place.share);
      if (place.start === (places.get(id) ?? reading)?.start) return;
      places.set(id, place);
      timers.tell ??= setTimeout(tell, tellMs);
      if (place.share < 1 || isRead.current) return;
      isRead.current = true;
      void store.write({ operation: 'update_contents', input: { ids: [id], read: true } }).then(
        () => store.refresh(),
        () => undefined,
      );
    };
    const soon = (): void => {
      timers.pause ??= setTimeout(remember, pauseMs);
    };
    const leave = (): void => {
      if (timers.pause !== undefined) remember();
      if (timers.tell !== undefined) tell();
    };
    document.addEventListener('scroll', soon, { passive: true });
    addEventListener('pagehide', leave);
    return () => {
      document.removeEventListener('scroll', soon);
      removeEventListener('pagehide', leave);
      clearTimeout(timers.pause);
      if (timers.tell !== undefined) tell();
    };
  }, [id]);
  return share;
}

type Timer = ReturnType<typeof setTimeout>;

/** Where the person is in a text of this length; undefined where that cannot be told. */
function placeOf(length: number, isWhole: boolean): Reading | undefined {
  const { scrollHeight } = document.documentElement;
  if (isWhole && scrollY + innerHeight > scrollHeight - minScrolled) return { start: null, share: 1 };
  if (scrollY < minScrolled) return { start: 0, share: 0 };
  const left = document.querySelector('.text')?.getBoundingClientRect().left ?? 0;
  // The block that begins at the line counts, so that opening a place again does not move it.
  const block = document.elementFromPoint(left + 1, lineOfSight + 10)?.closest<HTMLElement>('.block');
  if (block === null || block === undefined) return undefined;
  const { top, height } = block.getBoundingClientRect();
  const within = (Number(block.dataset['length']) * Math.max(0, lineOfSight - top)) / height;
  const start = Number(block.dataset['start']) + Math.round(within);
  return { start, share: start / length };
}
