import type { JSX } from 'preact';
import { useEffect, useLayoutEffect, useMemo, useState } from 'preact/hooks';
import { deepLink } from '../../src/domain/links/url.ts';
import type { PlacedBlock, ReadItem } from '../data/records.ts';
import { useStore } from '../data/store.ts';
import { text } from '../text.ts';
import { Block } from './block.tsx';
import { type BlockParts, safeAddress } from './inline-view.tsx';
import { onPlaceWanted, showPlace, useKeptPlace, wantedOffset } from './places.ts';
import { MarginNotes } from './margin-notes.tsx';
import { type Mark, marksWithin } from './source.ts';

/** Blocks that are drawn at once, and about how many characters: the server draws the first ones while others wait. */
const blocksAtOnce = 60;
const charactersAtOnce = 30_000;
/** A longer block is drawn in pieces. Marks that begin in one piece and end in another are shown as they are written. */
const maxBlockLength = 50_000;

interface TranscriptParts {
  item: ReadItem;
  marks: readonly Mark[];
}

/** The stored text. Its first part is drawn at once, the others while the browser has nothing else to do. */
export function Transcript({ item, marks }: TranscriptParts): JSX.Element {
  const images = useStore().start.choices.images === 'on';
  const { transcript = '', url } = item;
  const blocks = useMemo(() => pagesOnce(blocksOf(item).flatMap((block) => piecesOf(block, transcript))), [item]);
  const parts = useMemo(() => partsOf(blocks), [blocks]);
  const [drawn, setDrawn] = useState(1);

  useEffect(() => {
    if (drawn >= parts.length) return undefined;
    return whenIdle(() => setDrawn((count) => count + 1));
  }, [drawn, parts.length]);

  // Before the place that the person was at is wanted.
  useLayoutEffect(
    () =>
      onPlaceWanted((offset) => {
        const index = parts.findLastIndex(([first]) => (first?.start ?? 0) <= offset);
        setDrawn((count) => Math.max(count, index + 1));
      }),
    [parts],
  );

  useEffect(() => {
    const offset = wantedOffset(location.hash);
    if (offset !== null) showPlace(offset);
  }, []);

  const common = { transcript, base: url, images };
  return (
    <>
      <div class="text" lang={item.language ?? undefined} dir="auto">
        {parts.slice(0, drawn).map((part, index) => (
          <Part key={index} blocks={part} item={item} marks={marks} {...common} />
        ))}
      </div>
      <TimeLeft item={item} isWhole={drawn >= parts.length} />
    </>
  );
}

/** Drawn again at each pause of scrolling, and the text is not. */
function TimeLeft({ item, isWhole }: { item: ReadItem; isWhole: boolean }): JSX.Element | null {
  const share = useKeptPlace(item, isWhole);
  if (share === 0 || share === 1 || item.wordCount === null) return null;
  return <p class="time-left">{text.reading.left(item.wordCount * (1 - share))}</p>;
}

/** A text whose blocks are not known is shown as paragraphs. The title stands above the text, and is not repeated in it. */
function blocksOf({ blocks, transcript = '', title }: ReadItem): PlacedBlock[] {
  const [first] = blocks;
  const isTitle = first?.kind === 'heading' && transcript.slice(first.start, first.end).replace(/^#+ /, '') === title;
  if (blocks.length > 0) return isTitle ? blocks.slice(1) : [...blocks];
  const found: PlacedBlock[] = [];
  let start = 0;
  for (const paragraph of transcript.split('\n\n')) {
    const end = start + paragraph.length;
    if (paragraph.trim() !== '') found.push({ start, end, kind: 'paragraph' });
    start = end + 2;
  }
  return found;
}

/** The number of a page stands at its first block alone. */
function pagesOnce(blocks: readonly PlacedBlock[]): PlacedBlock[] {
  let page = 0;
  return blocks.map(({ locator, ...block }) => {
    if (locator?.kind !== 'page') return { ...block, ...(locator !== undefined && { locator }) };
    const isNew = locator.page !== page;
    page = locator.page;
    return { ...block, ...(isNew && { locator }) };
  });
}

/** Cut behind a line or a word where there is one. */
function piecesOf(block: PlacedBlock, transcript: string): PlacedBlock[] {
  if (block.end - block.start <= maxBlockLength) return [block];
  const pieces: PlacedBlock[] = [];
  for (let { start } = block; start < block.end;) {
    const piece = transcript.slice(start, Math.min(block.end, start + maxBlockLength));
    const isLast = start + piece.length === block.end;
    const cut = Math.max(piece.lastIndexOf('\n'), piece.lastIndexOf(' ')) + 1;
    const end = start + (isLast || cut === 0 ? piece.length : cut);
    pieces.push({ ...block, start, end });
    start = end;
  }
  return pieces;
}

function partsOf(blocks: readonly PlacedBlock[]): PlacedBlock[][] {
  const parts: PlacedBlock[][] = [];
  let length = Number.POSITIVE_INFINITY;
  for (const block of blocks) {
    length += block.end - block.start;
    if (length > charactersAtOnce || parts.at(-1)?.length === blocksAtOnce) {
      parts.push([]);
      length = block.end - block.start;
    }
    parts.at(-1)?.push(block);
  }
  return parts;
}

function whenIdle(work: () => void): () => void {
  if (typeof requestIdleCallback === 'function') {
    const id = requestIdleCallback(work, { timeout: 500 });
    return () => cancelIdleCallback(id);
  }
  const id = setTimeout(work, 30);
  return () => clearTimeout(id);
}

interface PartParts extends Omit<BlockParts, 'marks'>, TranscriptParts {
  blocks: readonly PlacedBlock[];
  transcript: string;
}

function Part({ blocks, item, marks, ...common }: PartParts): JSX.Element {
  const [start, end] = [blocks[0]?.start ?? 0, blocks.at(-1)?.end ?? 0];
  const here = marksWithin(marks, start, end);
  // What is drawn changes only when a mark in it does.
  const key = JSON.stringify(here);
  return useMemo(
    () => (
      <div class="part">
        {blocks.map((block) => {
          const inBlock = marksWithin(here, block.start, block.end);
          const begun = inBlock.filter((mark) => mark.start >= block.start);
          return (
            <div
              class={`block ${block.kind}`}
              tabindex={-1}
              data-start={block.start}
              data-length={block.end - block.start}
              id={`at-${block.start}`}
            >
              <Time block={block} url={item.archivedCopy?.url ?? item.url} />
              <Block block={block} marks={inBlock} {...common} />
              {begun.length > 0 && <MarginNotes marks={begun} item={item} />}
            </div>
          );
        })}
      </div>
    ),
    [blocks, key, item, common.images],
  );
}

/** The second of a recording at which a block is said, as a link that opens the source there. */
function Time({ block, url }: { block: PlacedBlock; url: string | null }): JSX.Element | null {
  const { locator } = block;
  if (locator === undefined) return null;
  const shown = locator.kind === 'time' ? text.clock(locator.seconds) : text.page(locator.page);
  const address = url === null ? null : safeAddress(deepLink(url, locator, null), null);
  if (address === null) return <span class="time">{shown}</span>;
  return (
    <a
      class="time"
      href={address}
      target="_blank"
      rel="noopener noreferrer"
      data-second={locator.kind === 'time' ? Math.floor(locator.seconds) : undefined}
    >
      {shown}
    </a>
  );
}
