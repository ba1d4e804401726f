import { useEffect, useRef } from 'preact/hooks';
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

/** Scrolling is over after this time. */
const pauseMs = 400;
/** The server is told so often at most where somebody reads. */
const tellMs = 5_000;
/** Nearer to the top than this, nothing was read yet; nearer to the end, all of it was. */
const minScrolled = 200;
/** What stands so far below the top of the screen is being read. It is a little more than the `scroll-margin-top` of a block: opening a place again does not move it. */
const lineOfSight = 120;

/** Where the person was in the texts that this window showed, before the server's answer says so. */
const places = new Map<string, Reading>();

/**
 * Goes to where the person was in this text, on this device or another, unless the address names a place; and tells the server where
 * they are. Who reaches the end has read it.
 * @param isWhole whether the end of the text is drawn
 */
export function useKeptPlace({ id, transcript = '', reading, readAt }: ReadItem, isWhole: boolean): void {
  const store = useStore();
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
      if (place === undefined || place.start === (places.get(id) ?? reading)?.start) return;
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
}

type Timer = ReturnType<typeof setTimeout>;

/** Where the person is in a text of this length; undefined where that cannot be told. */
function placeOf(length: number, isWhole: boolean): Reading | undefined {
  const { scrollHeight } = document.documentElement;
  if (isWhole && scrollY + innerHeight > scrollHeight - minScrolled) return { start: null, share: 1 };
  if (scrollY < minScrolled) return { start: 0, share: 0 };
  const left = document.querySelector('.text')?.getBoundingClientRect().left ?? 0;
  const start = document
    .elementFromPoint(left + 1, lineOfSight)
    ?.closest('.block')
    ?.getAttribute('data-start');
  return start === null || start === undefined ? undefined : { start: Number(start), share: Number(start) / length };
}
