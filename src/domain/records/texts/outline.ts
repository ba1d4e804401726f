import type { PlacedBlock, Transcript } from './document.ts';
import { inlineText } from '../../text/inline-text.ts';
import { plainBlocks } from '../../text/plain-text.ts';
import { shortened } from '../../text/shortened.ts';

/** A part of a long text, up to the start of the next section. */
export interface Section {
  title: string;
  /** Offset into the transcript, in UTF-16 units. */
  start: number;
  /** Level of its heading, 1–6; 1 without a heading. */
  level: number;
  /** Recordings only: its start in whole seconds. */
  seconds?: number;
  /** Paged documents only: its page. */
  page?: number;
}

const maxTitleLength = 80;
/** Text before the first heading becomes its own section if it is longer than this. */
const maxLeadLength = 400;
/** Characters of Markdown that are read for the title of a section. */
const maxHeading = 4_000;
/** Words in the title of a section without a heading. */
const wordsOfName = 8;
/** Possible section lengths, in minutes, for a recording without chapters. */
const minuteSteps = [1, 2, 5, 10, 15, 30, 60];
/** Minimum characters per section of a text without headings, pages or times. */
const charactersApart = 4_000;

/**
 * The sections of a text, in order: its headings (as many levels as give at most `maxSections` sections), or else the pages of
 * a document, or else equal time steps of a recording, or else parts of about equal length. The first begins at 0.
 */
export function outlineOf(transcript: Transcript, maxSections: number): Section[] {
  const { text, blocks } = transcript;
  const byHeadings = headings(transcript, maxSections);
  if (byHeadings.length > 1) return byHeadings;
  const timed = blocks.filter(({ locator }) => locator !== undefined);
  const [first] = timed;
  if (first?.locator?.kind === 'page') return pages(transcript, timed, maxSections);
  if (first?.locator?.kind === 'time') return times(transcript, timed, maxSections);
  const apart = Math.max(charactersApart, text.length / Math.max(1, maxSections));
  return spread(blocks, (one, last) => one.start - last.start >= apart).map((block) => sectionAt(transcript, block));
}

function headings(transcript: Transcript, maxSections: number): Section[] {
  const all = transcript.blocks.filter(({ kind }) => kind === 'heading');
  const levels = [...new Set(all.map(({ level = 1 }) => level))].sort((a, b) => a - b);
  let chosen: PlacedBlock[] = [];
  for (const deepest of levels) {
    const these = all.filter(({ level = 1 }) => level <= deepest);
    if (these.length > maxSections) break;
    chosen = these;
  }
  // Even the top level has too many headings: take every n-th one.
  if (chosen.length === 0)
    chosen = everySo(
      all.filter(({ level = 1 }) => level === levels[0]),
      maxSections - 1,
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

function pages(transcript: Transcript, timed: readonly PlacedBlock[], maxSections: number): Section[] {
  const pageOf = ({ locator }: PlacedBlock) => (locator?.kind === 'page' ? locator.page : 0);
  const firsts = spread(timed, (one, last) => pageOf(one) > pageOf(last));
  return fromTheBeginning(everySo(firsts, maxSections).map((block) => sectionAt(transcript, block)));
}

function times(transcript: Transcript, timed: readonly PlacedBlock[], maxSections: number): Section[] {
  const minuteOf = ({ locator }: PlacedBlock) => (locator?.kind === 'time' ? locator.seconds / 60 : 0);
  const last = timed.reduce((latest, block) => Math.max(latest, minuteOf(block)), 0);
  const step = minuteSteps.find((minutes) => last / minutes <= maxSections) ?? last / Math.max(1, maxSections);
  const marks = spread(timed, (one, before) => Math.floor(minuteOf(one) / step) > Math.floor(minuteOf(before) / step));
  return fromTheBeginning(marks.map((block) => sectionAt(transcript, block)));
}

/** The first block, then each block that is far enough from the last one selected. */
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

function everySo<T>(all: readonly T[], maxCount: number): T[] {
  const step = Math.ceil(all.length / Math.max(1, maxCount));
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
