import { parseBoundedJson, type Json } from '../json/bounded-json.ts';
import { type Caption, readTimedLines, toCaption } from './timed-lines.ts';

/** Forty days: captions that start later are dropped as invalid. */
const maxSeconds = 40 * 86_400;

/**
 * Reads captions of any common format: WebVTT, SRT, YouTube's json3, srv1 to srv3, and TTML. Never throws; other text
 * has no captions. Captions without text are left out; the rest are sorted by time.
 * @param readXml returns the elements of an XML text that may contain captions
 */
export function parseCaptions(text: string, readXml: ReadXml): Caption[] {
  const bare = text.replace(/^\ufeff/, '');
  const captions = bare.trimStart().startsWith('{')
    ? readJson3(bare)
    : bare.trimStart().startsWith('<')
      ? readXmlCaptions(bare, readXml)
      : readTimedLines(bare);
  return captions
    .filter(({ start, text }) => Number.isFinite(start) && start >= 0 && start <= maxSeconds && text !== '')
    .toSorted((a, b) => a.start - b.start);
}

/** One XML element with text; `text` has a line end for each `br`. */
export interface CaptionElement {
  name: string;
  attributes: Readonly<Record<string, string>>;
  text: string;
}
export type ReadXml = (xml: string, names: ReadonlySet<string>) => CaptionElement[];

function field(value: Json | undefined, name: string): Json | undefined {
  return value !== null && typeof value === 'object' && !Array.isArray(value) && Object.hasOwn(value, name)
    ? value[name]
    : undefined;
}

/** `{events: [{tStartMs, dDurationMs, segs: [{utf8}]}]}`. Some events only append a line end and have no words. */
function readJson3(text: string): Caption[] {
  let root: Json;
  try {
    root = parseBoundedJson(text) as Json;
  } catch (error) {
    if (error instanceof SyntaxError) return [];
    throw error;
  }
  const events = field(root, 'events');
  if (!Array.isArray(events)) return [];
  return events.flatMap((event) => {
    const segments = field(event, 'segs');
    if (!Array.isArray(segments)) return [];
    const words = segments.map((segment) => field(segment, 'utf8')).filter((word) => typeof word === 'string');
    const start = field(event, 'tStartMs') ?? 0;
    const duration = field(event, 'dDurationMs');
    if (typeof start !== 'number') return [];
    // This format has no markup: an angle bracket is literal text.
    return [toCaption(start / 1_000, typeof duration === 'number' ? duration / 1_000 : null, escaped(words.join('')))];
  });
}

function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;');
}

const captionElements = new Set(['p', 'text']);

/** srv1 (`<text start dur>`, seconds), srv2 (`<text t d>`), srv3 (`<p t d>`, milliseconds), TTML (`<p begin end>`). */
function readXmlCaptions(xml: string, readXml: ReadXml): Caption[] {
  return readXml(xml, captionElements).flatMap(({ attributes, text }) => {
    const { t, d, start, dur, begin, end } = attributes;
    if (t !== undefined) return [toCaption(Number(t) / 1_000, d === undefined ? null : Number(d) / 1_000, text)];
    if (start !== undefined) return [toCaption(Number(start), dur === undefined ? null : Number(dur), text)];
    if (begin === undefined) return [];
    const from = ttmlSeconds(begin);
    return [toCaption(from, dur === undefined ? ttmlSeconds(end ?? '') - from : ttmlSeconds(dur), text)];
  });
}

const unitSeconds: Readonly<Record<string, number>> = { h: 3_600, m: 60, s: 1, ms: 0.001 };

/** `00:01:02.500`, `62.5s`, `62500ms`; frames and ticks are not resolved (NaN). */
function ttmlSeconds(text: string): number {
  const clock = /^(\d+):(\d{1,2}):(\d{1,2}(?:\.\d+)?)$/.exec(text);
  if (clock !== null) return Number(clock[1]) * 3_600 + Number(clock[2]) * 60 + Number(clock[3]);
  const [, count, unit = ''] = /^(\d+(?:\.\d+)?)(h|m|s|ms)$/.exec(text) ?? [];
  return count === undefined ? Number.NaN : Number(count) * (unitSeconds[unit] ?? Number.NaN);
}
