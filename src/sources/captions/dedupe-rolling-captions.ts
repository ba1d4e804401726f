import type { Caption } from '../../domain/captions/caption.ts';

/** If at least this share of captions repeats the one before, they are rolling captions and not repeated speech. */
const rollingShare = 0.4;

/** Reduces rolling captions to what each one adds, and marks where the speaker changes. */
export function dedupeRollingCaptions(captions: readonly Caption[]): (Caption & { speakerChanged: boolean })[] {
  const cleaned = isRolling(captions) ? withoutRepeats(captions) : captions;
  let speaker: string | undefined;
  return cleaned.map((caption) => {
    const speakerChanged = caption.speaker !== undefined && caption.speaker !== speaker;
    speaker = caption.speaker ?? speaker;
    return { ...caption, speakerChanged };
  });
}

/**
 * Whether these are rolling captions. Live captions show two lines, and each new line moves the last one up, so that
 * every line appears at least twice.
 */
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

/**
 * Whether a caption follows the one before without a pause (less than 0.2 s), and is not another speaker's. An unknown
 * duration counts as no pause.
 */
function touches(before: Caption, caption: Caption): boolean {
  if (before.speaker !== caption.speaker && caption.speaker !== undefined) return false;
  return before.duration === null || caption.start - (before.start + before.duration) < 0.2;
}

/**
 * The part of a caption that the one before did not show: the lines after those that moved up, or words added to a
 * line.
 */
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

/** The number of lines that both end `earlier` and begin `lines`. */
function overlap(earlier: readonly string[], lines: readonly string[]): number {
  const most = Math.min(maxShown, earlier.length, lines.length);
  for (let count = most; count > 0; count -= 1)
    if (earlier.slice(-count).every((line, i) => line === lines[i])) return count;
  return 0;
}
