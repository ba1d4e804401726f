import type { PlacedBlock, Transcript } from './document.ts';
import { inlineText } from '../text/inline-text.ts';
import { plainBlocks } from '../text/plain-text.ts';
import { shortened } from '../text/shortened.ts';

/** A part of a long text, from here to the next one. */
export interface Section {
  title: string;
  /** Offset into the transcript, in UTF-16 units. */
  start: number;
  /** Of its heading, 1–6; 1 where it has none. */
  level: number;
  /** Where a recording has it, in whole seconds. */
  seconds?: number;
  /** Where a paged document has it. */
  page?: number;
}

const maxTitleLength = 80;
/** What is said before the first heading is a section of its own when it is longer than this. */
const maxLeadLength = 400;
/** Markdown that is read for the title of a section. */
const maxHeading = 4_000;
/** Words of a place that has no name. */
const wordsOfName = 8;
/** Minutes between two marks of a recording without chapters. */
const minuteSteps = [1, 2, 5, 10, 15, 30, 60];
/** Characters between two marks of a text that has nothing else. */
const charactersApart = 4_000;

/**
 * The sections of a text, in order: its headings (as many levels as give at most `most` sections), else the pages of a
 * document, else marks in equal steps of a recording, else places about as far apart from each other. The first one begins at 0.
 */
export function outlineOf(transcript: Transcript, most: number): Section[] {
  const { text, blocks } = transcript;
  const byHeadings = headings(transcript, most);
  if (byHeadings.length > 1) return byHeadings;
  const timed = blocks.filter(({ locator }) => locator !== undefined);
  const [first] = timed;
  if (first?.locator?.kind === 'page') return pages(transcript, timed, most);
  if (first?.locator?.kind === 'time') return times(transcript, timed, most);
  const apart = Math.max(charactersApart, text.length / Math.max(1, most));
  return spread(blocks, (one, last) => one.start - last.start >= apart).map((block) => sectionAt(transcript, block));
}

function headings(transcript: Transcript, most: number): Section[] {
  const all = transcript.blocks.filter(({ kind }) => kind === 'heading');
  const levels = [...new Set(all.map(({ level = 1 }) => level))].sort((a, b) => a - b);
  let chosen: PlacedBlock[] = [];
  for (const deepest of levels) {
    const these = all.filter(({ level = 1 }) => level <= deepest);
    if (these.length > most) break;
    chosen = these;
  }
  // Too many even of the highest: the text has chapters, and its outline is every so many of them.
  if (chosen.length === 0)
    chosen = everySo(
      all.filter(({ level = 1 }) => level === levels[0]),
      most - 1,
    );
  const [lead] = chosen;
  if (lead === undefined) return [];
  const sections = chosen.map((block) => sectionAt(transcript, block));
  const [opening] = transcript.blocks;
  return opening === undefined || lead.start <= maxLeadLength
    ? fromTheBeginning(sections)
    : [sectionAt(transcript, opening), ...sections];
}

function fromTheBeginning(sections: readonly Section[]): Section[] {
  return sections.map((section, index) => (index === 0 ? { ...section, start: 0 } : section));
}

function pages(transcript: Transcript, timed: readonly PlacedBlock[], most: number): Section[] {
  const pageOf = ({ locator }: PlacedBlock) => (locator?.kind === 'page' ? locator.page : 0);
  const firsts = spread(timed, (one, last) => pageOf(one) > pageOf(last));
  return fromTheBeginning(everySo(firsts, most).map((block) => sectionAt(transcript, block)));
}

function times(transcript: Transcript, timed: readonly PlacedBlock[], most: number): Section[] {
  const minuteOf = ({ locator }: PlacedBlock) => (locator?.kind === 'time' ? locator.seconds / 60 : 0);
  const last = timed.reduce((latest, block) => Math.max(latest, minuteOf(block)), 0);
  const step = minuteSteps.find((minutes) => last / minutes <= most) ?? last / Math.max(1, most);
  const marks = spread(timed, (one, before) => Math.floor(minuteOf(one) / step) > Math.floor(minuteOf(before) / step));
  return fromTheBeginning(marks.map((block) => sectionAt(transcript, block)));
}

/** The first block, and each that is far enough from the last one taken. */
function spread(
  blocks: readonly PlacedBlock[],
  isFar: (block: PlacedBlock, last: PlacedBlock) => boolean,
): PlacedBlock[] {
  const taken: PlacedBlock[] = [];
  for (const block of blocks) {
    const last = taken.at(-1);
    if (last === undefined || isFar(block, last)) taken.push(block);
  }
  return taken;
}

function everySo<T>(all: readonly T[], most: number): T[] {
  const step = Math.ceil(all.length / Math.max(1, most));
  return step <= 1 ? [...all] : all.filter((_, index) => index % step === 0);
}

function sectionAt({ text, blocks }: Transcript, block: PlacedBlock): Section {
  const { kind, start, end, locator, level = 1 } = block;
  const words =
    kind === 'heading'
      ? inlineText(text.slice(start, Math.min(end, start + maxHeading)).replace(/^#+\s*/, ''))
      : nameOf(text, block);
  const place = locator ?? blocks.findLast((one) => one.start <= start && one.locator !== undefined)?.locator;
  return {
    title: shortened(words.replaceAll(/\s+/g, ' ').trim(), maxTitleLength),
    start,
    level,
    ...(place?.kind === 'time' && { seconds: Math.floor(place.seconds) }),
    ...(place?.kind === 'page' && { page: place.page }),
  };
}

/** The first words of a block. */
function nameOf(text: string, { start, end }: PlacedBlock): string {
  const [line = ''] = plainBlocks(text.slice(start, Math.min(end, start + 400)));
  const words = line.split(' ');
  return words.length <= wordsOfName ? line : `${words.slice(0, wordsOfName).join(' ')} …`;
}
