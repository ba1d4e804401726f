import type { Caption } from '../domain/caption.ts';

/** Share of captions that repeat the one before, from which on repeating is how they are shown and not what is said. */
const rollingShare = 0.4;

/** Captions with what each adds to those before it, and with the places where somebody else begins to speak. */
export function unroll(captions: readonly Caption[]): (Caption & { speakerChanged: boolean })[] {
  const cleaned = isRolling(captions) ? withoutRepeats(captions) : captions;
  let speaker: string | undefined;
  return cleaned.map((caption) => {
    const speakerChanged = caption.speaker !== undefined && caption.speaker !== speaker;
    speaker = caption.speaker ?? speaker;
    return { ...caption, speakerChanged };
  });
}

/** Captions made live show two lines, and with each new one the last line moves up: everything comes twice or more. */
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

/** Whether one follows the other without a pause. */
function touches(before: Caption, caption: Caption): boolean {
  return before.duration === null || caption.start - (before.start + before.duration) < 0.2;
}

/** What a caption shows that the one before did not: its lines behind those that moved up, or words added to a line. */
function newText(before: Caption, caption: Caption): string {
  const earlier = before.text.split('\n');
  const lines = caption.text.split('\n');
  for (let count = Math.min(earlier.length, lines.length); count > 0; count -= 1) {
    if (earlier.slice(-count).every((line, index) => line === lines[index])) return lines.slice(count).join('\n');
  }
  const grown = caption.text.startsWith(`${before.text} `) || caption.text.startsWith(`${before.text}\n`);
  return grown ? caption.text.slice(before.text.length).trim() : caption.text;
}
