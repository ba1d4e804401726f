import { decodeEntities } from '../text/entities.ts';

const time = String.raw`(?:(\d{1,4}):)?(\d{1,2}):(\d{2})(?:[.,](\d{1,3}))?`;
const arrowTimes = new RegExp(String.raw`^\s*${time}\s*-->\s*${time}(?:\s|$)`);
/** YouTube's SBV: `0:00:01.000,0:00:02.500` and nothing else on the line. */
const commaTimes = /^(\d{1,4}):(\d{2}):(\d{2})\.(\d{3}),(\d{1,4}):(\d{2}):(\d{2})\.(\d{3})\s*$/;

/**
 * Reads WebVTT, SRT and similar formats: a line of two times, then text up to the next such line. In WebVTT, a blank
 * line ends a text, and notes and styles are skipped. Real SRT files have blank lines within texts, which are kept.
 */
export function readTimedLines(text: string): Caption[] {
  const lines = text.split(/\r\n?|\n/);
  const isVtt = /^WEBVTT(?:\s|$)/.test(text);
  const captions: Caption[] = [];
  let open: { start: number; end: number; lines: string[]; ended: boolean } | null = null;
  const close = (): void => {
    const markup = open?.lines.join('\n') ?? '';
    // Several speakers may share a caption of WebVTT.
    for (const voice of isVtt ? markup.split(/(?=<v[.\s])/) : [markup])
      if (open !== null) captions.push(toCaption(open.start, open.end - open.start, voice));
  };
  for (const line of lines) {
    const times = line.length < 500 ? (arrowTimes.exec(line) ?? commaTimes.exec(line)) : null;
    if (times !== null) {
      if (open !== null && !isVtt) dropNumber(open.lines, captions.length + 2);
      close();
      open = { start: secondsOf(times, 1), end: secondsOf(times, 5), lines: [], ended: false };
    } else if (open !== null && !open.ended) {
      if (isVtt && line === '') open.ended = true;
      else open.lines.push(line);
    }
  }
  close();
  return captions;
}

/** Removes the caption number that SRT has in the line before the times. A number that ends a text is kept. */
function dropNumber(lines: string[], expected: number): void {
  const last = lines.at(-1)?.trim() ?? '';
  const afterBlank = lines.length > 1 && (lines.at(-2)?.trim() ?? '') === '';
  if (/^\d{1,7}$/.test(last) && (afterBlank || Number(last) === expected)) lines.pop();
}

function secondsOf(match: RegExpExecArray, at: number): number {
  const [hours = '0', minutes = '0', seconds = '0', fraction = '0'] = match.slice(at, at + 4);
  return Number(hours) * 3_600 + Number(minutes) * 60 + Number(seconds) + Number(fraction.padEnd(3, '0')) / 1_000;
}

/** Reads a line that begins with a time, as in chapters and pasted transcripts: `1:02:03 Title`, `[00:12] words`. */
export function readStamp(line: string): { start: number; rest: string } | null {
  if (line.length > 20_000) return null;
  const [whole, hours = '0', minutes, seconds] =
    /^\s*[[(]?(?:(\d{1,3}):)?(\d{1,3}):(\d{2})[\])]?(?=[\s\-–—:|.,]|$)/.exec(line) ?? [];
  if (whole === undefined) return null;
  const start = Number(hours) * 3_600 + Number(minutes) * 60 + Number(seconds);
  return {
    start,
    rest: line
      .slice(whole.length)
      .replace(/^[\s\-–—:|.,]+/, '')
      .trim(),
  };
}

/**
 * Reads a transcript copied from a player: times are on their own lines or before the text. Null unless the text begins
 * with a time and has at least `minTimes` times, which never decrease.
 */
export function readStampedText(text: string, minTimes = 3): Caption[] | null {
  const captions: { start: number; lines: string[] }[] = [];
  for (const line of text.split(/\r\n?|\n/)) {
    const stamp = readStamp(line);
    const last = captions.at(-1);
    if (stamp !== null) {
      if (last !== undefined && stamp.start < last.start) return null;
      captions.push({ start: stamp.start, lines: [stamp.rest] });
    } else if (last !== undefined) last.lines.push(line);
    else if (line.trim() !== '') return null;
  }
  if (captions.length < minTimes) return null;
  const read = captions.map(({ start, lines }, index) => {
    const next = captions[index + 1];
    return { start, duration: next === undefined ? null : next.start - start, text: lines.join('\n').trim() };
  });
  return read.filter((caption) => caption.text !== '');
}

/** Reads chapters from a description. YouTube's rules: at least three, the first at 0:00, with increasing times. */
export function readChapters(description: string): { start: number; title: string }[] {
  const found: { start: number; title: string }[] = [];
  for (const line of description.split('\n').slice(0, 2_000)) {
    const stamp = readStamp(line.replace(/^[\s•*▶►-]+/, ''));
    if (stamp === null || stamp.rest === '') continue;
    const last = found.at(-1);
    if (last === undefined ? stamp.start !== 0 : stamp.start <= last.start) continue;
    found.push({ start: stamp.start, title: stamp.rest.slice(0, 200) });
  }
  return found.length >= 3 ? found : [];
}

/** Makes a caption from the fields that all formats have. */
export function toCaption(start: number, duration: number | null, markup: string): Caption {
  const speaker = captionSpeaker(markup);
  return {
    start: round(start),
    duration: duration === null || !Number.isFinite(duration) || duration < 0 ? null : round(duration),
    text: captionLines(markup),
    ...(speaker !== null && { speaker }),
  };
}

function round(seconds: number): number {
  return Math.round(seconds * 1_000) / 1_000;
}

/** Tags of WebVTT, SRT, TTML, HTML and SubStation that captions use; anything else in angle brackets is literal text. */
const tags =
  /\{\\(?:an?\d|[bikpqsu][fo]?\d|r\}|\d?(?:c|alpha)&|[xy]?(?:bord|shad)\d|b(?:e|lur)\d|f(?:ade?\(|[ns]|r[xyz]?-?\d)|(?:pos|move|i?clip|org|t)\()[^{}]{0,200}\}|<\/?(?:i|b|u|c|v|s|p|em|strong|font|span|ruby|rt|lang)(?:[.\s/][^<>]*)?>|<\d{1,4}:[\d:.]{1,12}>/gi;
/**
 * The lines of a caption: without tags, with entities decoded (twice: YouTube encodes some twice) and white space
 * collapsed within lines.
 */
export function captionLines(markup: string): string {
  const text = decodeEntities(decodeEntities(markup.replaceAll(/<br\s{0,9}\/?>/gi, '\n').replaceAll(tags, '')));
  // Remove encoded markup too: `&lt;i&gt;`.
  return text
    .replaceAll(tags, '')
    .split('\n')
    .map((line) => line.replaceAll(/[\s\u200b\u200e\u200f\ufeff]+/gu, ' ').trim())
    .filter((line) => line !== '')
    .join('\n');
}

/** The speaker in the first voice tag of WebVTT (`<v Ann>`). */
function captionSpeaker(markup: string): string | null {
  const name = /<v(?:\.[^\s<>]{1,100})?\s([^<>]{1,200})>/i.exec(markup)?.[1];
  const plain = name === undefined ? '' : decodeEntities(name).replaceAll(/\s+/g, ' ').trim();
  return plain === '' ? null : plain;
}

/** One caption of a recording. */
export interface Caption {
  /** Seconds from the beginning of the recording. */
  start: number;
  /** Seconds; null when the captions do not give it. */
  duration: number | null;
  /** Without markup and entities. Line ends are kept: rolling captions repeat lines, which are deduplicated later. */
  text: string;
  /** The speaker, if the captions name one. */
  speaker?: string | undefined;
}

/** A chapter of a recording. */
export interface Chapter {
  /** Seconds. */
  start: number;
  title: string;
}
