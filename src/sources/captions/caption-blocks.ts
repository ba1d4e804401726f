import type { Caption, Chapter } from '../../domain/captions/timed-lines.ts';
import type { Block } from '../../domain/records/texts/document.ts';

/** In characters. From `enough` on, a paragraph ends after a sentence; at the maximum, between any two captions. */
const enough = 240;
const maxPunctuated = 600;
/** Automatic captions mostly have no full stops. This limit gives their paragraphs about the length of others. */
const maxUnpunctuated = 320;
/** In seconds. */
const longPause = 4;

const sentenceEnd = /[.!?…。！？][\])"'”’»]*$/u;
const soundNames =
  'music|musik|musique|música|musica|muziek|музыка|音楽|音乐|음악|applause|applaus|beifall|applaudissements|aplausos|applausi|аплодисменты|拍手|' +
  'laughter|laughs|gelächter|lachen|rires|risas|смех|笑|cheering|cheers|silence';
/** `[Music]`, `(Applause)`, `♪`: sounds, not words. Any other remark in brackets is kept. */
const sound = new RegExp(String.raw`[\[(（【]\s{0,9}(?:${soundNames})\s{0,9}[\])）】]|[♪♫♬]+`, 'giu');
/** A change of speaker, at the beginning or after a sentence. Inside a sentence, `>>` is a shift operator. */
const speakerMark = /(^|[.!?…"”]\s)\s{0,9}(?:>>+|&gt;&gt;)\s{0,9}(?=\S)/gu;
const spaceless = /[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Thai}\p{sc=Lao}\p{sc=Khmer}、。！？「」]/u;

interface CaptionPiece {
  start: number;
  end: number | null;
  text: string;
  fresh: boolean;
}

/** Paragraphs with their start in seconds, under the chapters' headings. Only repeats, sounds and speaker marks are lost. */
export function captionBlocks(captions: readonly Caption[], chapters: readonly Chapter[] = []): Block[] {
  const pieces = dedupeRollingCaptions(captions).flatMap(cutAtSpeakers);
  const punctuated = pieces.filter(({ text }) => sentenceEnd.test(text)).length * 12 > pieces.length;
  const limit = punctuated ? maxPunctuated : maxUnpunctuated;
  const blocks: Block[] = [];
  const ordered = chapters.toSorted((a, b) => a.start - b.start);
  let passed = 0;
  let open: { start: number; end: number | null; text: string } | null = null;
  const close = (): void => {
    if (open === null) return;
    blocks.push({ text: open.text, kind: 'paragraph', locator: { kind: 'time', seconds: open.start } });
    open = null;
  };
  for (const piece of pieces) {
    // A caption that starts up to half a second before a chapter belongs to that chapter.
    for (let chapter = ordered[passed]; chapter !== undefined && chapter.start <= piece.start + 0.5;) {
      close();
      blocks.push(chapterHeading(chapter));
      passed += 1;
      chapter = ordered[passed];
    }
    if (open !== null && (piece.fresh || isFull(open, piece, limit))) close();
    open ??= { start: piece.start, end: null, text: '' };
    open.text = joined(open.text, piece.text);
    open.end = piece.end;
  }
  close();
  return blocks;
}

function chapterHeading({ start, title }: Chapter): Block {
  return { text: `## ${title}`, kind: 'heading', level: 2, locator: { kind: 'time', seconds: start } };
}

function isFull(open: { end: number | null; text: string }, next: CaptionPiece, limit: number): boolean {
  const { length } = open.text;
  if (length + next.text.length > limit) return true;
  if (open.end !== null && next.start - open.end >= longPause) return true;
  return length >= enough && sentenceEnd.test(open.text);
}

function joined(before: string, text: string): string {
  if (before === '') return text;
  const touching = spaceless.test(before.at(-1) ?? '') && spaceless.test(text.charAt(0));
  return touching ? before + text : `${before} ${text}`;
}

function cutAtSpeakers(caption: Caption & { speakerChanged?: boolean }): CaptionPiece[] {
  const { start, duration, speaker, speakerChanged = false } = caption;
  const text = caption.text.replaceAll(sound, ' ').replaceAll(speakerMark, '$1\u0000');
  return (
    text
      .split('\u0000')
      .map((part, index) => ({ part: part.replaceAll(/\s+/g, ' ').trim(), index }))
      // Drop what remains of a sound, such as dots and dashes.
      .filter(({ part }) => /[\p{L}\p{N}\p{S}]/u.test(part))
      .map(({ part, index }) => ({
        start,
        end: duration === null ? null : start + duration,
        text: index === 0 && speakerChanged && speaker !== undefined ? `${speaker}: ${part}` : part,
        fresh: index > 0 || speakerChanged,
      }))
  );
}

/** If at least this share of captions repeats the one before, they are rolling captions and not repeated speech. */
const rollingShare = 0.4;

export function dedupeRollingCaptions(captions: readonly Caption[]): (Caption & { speakerChanged: boolean })[] {
  const cleaned = isRolling(captions) ? withoutRepeats(captions) : captions;
  let speaker: string | undefined;
  return cleaned.map((caption) => {
    const speakerChanged = caption.speaker !== undefined && caption.speaker !== speaker;
    speaker = caption.speaker ?? speaker;
    return { ...caption, speakerChanged };
  });
}

/** Live captions show two lines, and each new line moves the last one up, so that every line appears at least twice. */
function isRolling(captions: readonly Caption[]): boolean {
  let repeats = 0;
  for (const [index, caption] of captions.entries()) {
    const before = captions[index - 1];
    if (before !== undefined && touches(before, caption) && newText(before, caption) !== caption.text) repeats += 1;
  }
  return captions.length > 3 && repeats >= (captions.length - 1) * rollingShare;
}

function withoutRepeats(captions: readonly Caption[]): Caption[] {
  const kept: Caption[] = [];
  for (const [index, caption] of captions.entries()) {
    const before = captions[index - 1];
    const text = before !== undefined && touches(before, caption) ? newText(before, caption) : caption.text;
    if (text !== '') kept.push({ ...caption, text });
  }
  return kept;
}

/** Whether a caption follows without a pause (0.2 s), and is not another speaker's. An unknown duration is no pause. */
function touches(before: Caption, caption: Caption): boolean {
  if (before.speaker !== caption.speaker && caption.speaker !== undefined) return false;
  return before.duration === null || caption.start - (before.start + before.duration) < 0.2;
}

/** The part that the previous caption did not show: lines after those that moved up, or words added to a line. */
function newText(before: Caption, caption: Caption): string {
  if (caption.text === before.text) return '';
  const lines = caption.text.split('\n');
  const moved = overlap(before.text.split('\n'), lines);
  if (moved > 0) return lines.slice(moved).join('\n');
  const grown = caption.text.startsWith(`${before.text} `) || caption.text.startsWith(`${before.text}\n`);
  return grown ? caption.text.slice(before.text.length).trim() : caption.text;
}

/** Lines that live captions show at once, at most. */
const maxShown = 8;

function overlap(earlier: readonly string[], lines: readonly string[]): number {
  const most = Math.min(maxShown, earlier.length, lines.length);
  for (let count = most; count > 0; count -= 1)
    if (earlier.slice(-count).every((line, i) => line === lines[i])) return count;
  return 0;
}
