import { eastAsianWidth } from 'get-east-asian-width';
import { styleText } from 'node:util';
import { maskText } from '../../domain/text/clean-text.ts';
import type { Look } from './look.ts';

/** Runs without a space between them, between two places where the line may break. */
interface UnbrokenWord {
  runs: StyledRun[];
  columns: number;
  /** White space before it; dropped when the word begins a line. */
  before: StyledRun[];
  isNewLine: boolean;
}

/**
 * Breaks runs into lines of at most `first` columns for the first one and `rest` for the others. White space inside a line is kept.
 * A word that is too long gets its own line, unbroken, so that an address can still be copied.
 */
export function wrap(runs: readonly StyledRun[], first: number, rest: number): StyledRun[][] {
  const lines: StyledRun[][] = [];
  let line: StyledRun[] = [];
  let taken = 0;
  for (const word of wordsOf(runs)) {
    const space = word.before.reduce((sum, { text }) => sum + columnsOf(text), 0);
    const width = lines.length === 0 ? first : rest;
    const isFull = taken > 0 && taken + space + word.columns > width;
    if (word.isNewLine || isFull) {
      lines.push(line);
      [line, taken] = [[], 0];
    }
    // White space stays at the beginning of the first line: there it was written on purpose.
    if (taken > 0 || lines.length === 0) {
      line.push(...word.before);
      taken += space;
    }
    line.push(...word.runs);
    taken += word.columns;
  }
  return [...lines, line];
}

function wordsOf(runs: readonly StyledRun[]): UnbrokenWord[] {
  const words: UnbrokenWord[] = [];
  const begin = (isNewLine = false): UnbrokenWord => {
    const word: UnbrokenWord = { runs: [], columns: 0, before: [], isNewLine };
    words.push(word);
    return word;
  };
  for (const { text, ...look } of runs) {
    for (const [piece] of text.matchAll(/\n|[^\S\n]+|\S+/g)) {
      const last = words.at(-1);
      if (piece === '\n') begin(true);
      else if (piece.trim() === '') {
        const word = last === undefined || last.runs.length > 0 ? begin() : last;
        word.before.push({ ...look, text: piece.replaceAll('\t', '    ') });
      } else {
        for (const [index, part] of breakable(piece).entries()) {
          const word = index === 0 ? (last ?? begin()) : begin();
          word.runs.push({ ...look, text: part });
          word.columns += columnsOf(part);
        }
      }
    }
  }
  return words;
}

const segmenter = new Intl.Segmenter('und', { granularity: 'grapheme' });
const plainAscii = /^[ -~]*$/;
const drawnAsNothing = /^[\p{Mark}\p{Control}\p{Format}\p{Default_Ignorable_Code_Point}]/v;
const emoji = /[\p{Emoji_Presentation}\ufe0f]/u;

export function columnsOf(text: string): number {
  if (plainAscii.test(text)) return text.length;
  let columns = 0;
  for (const { segment } of segmenter.segment(text)) columns += columnsOfGrapheme(segment);
  return columns;
}

function columnsOfGrapheme(grapheme: string): number {
  if (emoji.test(grapheme)) return 2;
  return drawnAsNothing.test(grapheme) ? 0 : eastAsianWidth(grapheme.codePointAt(0) ?? 0x20);
}

/** Splits where a line may break: around characters two columns wide (Chinese, Japanese), not before punctuation. */
function breakable(word: string): string[] {
  if (plainAscii.test(word)) return [word];
  const parts: string[] = [];
  let wasWide = false;
  for (const { segment } of segmenter.segment(word)) {
    const isWide = columnsOfGrapheme(segment) === 2;
    const last = parts.length - 1;
    if (last >= 0 && ((!isWide && !wasWide) || /^\p{P}/u.test(segment))) parts[last] += segment;
    else parts.push(segment);
    wasWide = isWide;
  }
  return parts;
}

/** The beginning of a text that fits, with an ellipsis if something is left out. */
export function fitting(text: string, columns: number): string {
  if (columnsOf(text) <= columns) return text;
  let shown = '';
  let taken = 1;
  for (const { segment } of segmenter.segment(text)) {
    taken += columnsOfGrapheme(segment);
    if (taken > columns) break;
    shown += segment;
  }
  return `${shown}…`;
}

/*
 * Text with its style, before it is wrapped. Escape codes are written in `paint` alone, around text that can hold none.
 */

type Style = 'title' | 'meta' | 'strong' | 'emphasis' | 'code' | 'link';

export interface StyledRun {
  text: string;
  styles: readonly Style[];
  /** The address that a click opens. */
  url?: string | undefined;
}

const formats = {
  title: 'bold',
  meta: 'dim',
  strong: 'bold',
  emphasis: 'italic',
  code: 'yellow',
  link: 'cyan',
} as const satisfies Record<Style, Parameters<typeof styleText>[0]>;

/** Terminals ignore longer links, or cut them. */
const maxUrlLength = 2_000;

/** Makes a run of text from outside: control characters, and with them escape codes, become spaces. */
export function run(text: string, styles: readonly Style[] = [], url?: string): StyledRun {
  return { text: maskText(text), styles, ...(url !== undefined && { url }) };
}

/** One line of runs with their escape codes. Each run ends its own styles, so that no line affects the next one. */
export function paint(line: readonly StyledRun[], { styled, links }: Look): string {
  return joinAlike(line)
    .map(({ text, styles, url }) => {
      const isSeen = text.trim() !== '';
      const shown =
        styled && isSeen
          ? styles.reduce((inner, style) => styleText(formats[style], inner, { validateStream: false }), text)
          : text;
      const target = links && url !== undefined && isSeen ? linkTarget(url) : null;
      return target === null ? shown : `\u001B]8;;${target}\u001B\\${shown}\u001B]8;;\u001B\\`;
    })
    .join('');
}

/** The address as the terminal gets it; null when it is not a link to open. A parsed address is plain ASCII. */
function linkTarget(url: string): string | null {
  const parsed = URL.parse(url);
  if (parsed === null || !['http:', 'https:', 'mailto:'].includes(parsed.protocol)) return null;
  return parsed.href.length <= maxUrlLength && /^[!-~]*$/.test(parsed.href) ? parsed.href : null;
}

/** Joins neighbours with the same look, which wrapping has parted. */
function joinAlike(line: readonly StyledRun[]): StyledRun[] {
  const joined: StyledRun[] = [];
  for (const one of line) {
    const last = joined.at(-1);
    if (last !== undefined && last.url === one.url && last.styles.join() === one.styles.join()) {
      joined[joined.length - 1] = { ...last, text: last.text + one.text };
    } else joined.push(one);
  }
  return joined;
}
