import { decodeEntities } from '../text/entities.ts';
import type { Caption } from './caption.ts';

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

/** Tags of WebVTT, SRT, TTML and HTML that captions use; anything else in angle brackets is literal text. */
const tags = /<\/?(?:i|b|u|c|v|s|p|em|strong|font|span|ruby|rt|lang)(?:[.\s/][^<>]*)?>|<\d{1,4}:[\d:.]{1,12}>/gi;
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
