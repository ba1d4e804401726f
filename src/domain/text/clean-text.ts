import { madeWhenUsed } from '../lazily.ts';

/*
 * Invisible characters can carry words that only a program reads, reverse the letters of a line, and control a
 * terminal. `cleanText` and `cleanLine` remove them from input, before any offsets are computed. `maskText` and
 * `maskStrings` replace them with spaces in output, because libraries written by older versions still contain them.
 */

/**
 * Control and format characters (bidirectional controls, tags, zero-width characters, soft hyphens, fillers, annotation
 * marks), variation selectors, line and paragraph separators, and noncharacters. Excluded are tabs, line feeds and the
 * number signs of Arabic and Kaithi, which are format characters but visible.
 */
const invisible = madeWhenUsed(
  () =>
    /[[\p{Cc}\p{Cf}\p{Default_Ignorable_Code_Point}\p{Noncharacter_Code_Point}\u2028\u2029]--[\t\n\u0600-\u0605\u06dd\u070f\u0890\u0891\u08e2\u{110bd}\u{110cd}]]/gv,
);
const plainAscii = /^[\t\n -~]*$/;

const lineBreaks = new Set(['\v', '\f', '\r', '\u0085', '\u2028', '\u2029']);
const joiners = new Set(['\u200c', '\u200d']);
const emojiSelectors = new Set(['\ufe0e', '\ufe0f']);
/** Scripts in which joiners distinguish two spellings of a word. */
const joinedScript = madeWhenUsed(
  () =>
    /[\p{scx=Arab}\p{scx=Syrc}\p{scx=Nkoo}\p{scx=Mong}\p{scx=Deva}\p{scx=Beng}\p{scx=Guru}\p{scx=Gujr}\p{scx=Orya}\p{scx=Taml}\p{scx=Telu}\p{scx=Knda}\p{scx=Mlym}\p{scx=Sinh}\p{scx=Khmr}\p{scx=Mymr}\p{scx=Tibt}]/u,
);
const letterOrMark = madeWhenUsed(() => /[\p{L}\p{M}]/u);
const emoji = madeWhenUsed(() => /[\p{Extended_Pictographic}\p{Emoji_Modifier}]/u);
const mongolian = madeWhenUsed(() => /\p{sc=Mong}/u);

function characterBefore(text: string, at: number): string {
  const last = text.charAt(at - 1);
  return /[\udc00-\udfff]/.test(last) ? text.slice(Math.max(0, at - 2), at) : last;
}

function characterAt(text: string, at: number): string {
  const code = text.codePointAt(at);
  return code === undefined ? '' : String.fromCodePoint(code);
}

/** Whether the invisible character at `at` affects how the characters around it are drawn. */
function isNeeded(character: string, text: string, at: number): boolean {
  const before = characterBefore(text, at);
  if (before === '') return false;
  const after = characterAt(text, at + character.length);
  if (emojiSelectors.has(character)) return emoji().test(before) || (/[\d#*]/.test(before) && after === '\u20e3');
  if (/[\u180b-\u180d\u180f]/.test(character)) return mongolian().test(before) && letterOrMark().test(before);
  if (!joiners.has(character)) return false;
  const joined = emojiSelectors.has(before) ? characterBefore(text, at - 1) : before;
  if (emoji().test(joined)) return character === '\u200d' && emoji().test(after);
  return letterOrMark().test(before) && joinedScript().test(before) && !joiners.has(after);
}

/** Removes invisible characters, except those that letters and emoji need, and turns every line break into `\n`. */
export function cleanText(text: string): string {
  if (plainAscii.test(text)) return text;
  const lines = text.toWellFormed().replaceAll('\r\n', '\n');
  return lines.replaceAll(invisible(), (character, at: number) => {
    if (isNeeded(character, lines, at)) return character;
    return lineBreaks.has(character) ? '\n' : '';
  });
}

/** Like `cleanText`, but replaces invisible characters with spaces, so that UTF-16 offsets into the text stay valid. */
export function maskText(text: string): string {
  if (plainAscii.test(text)) return text;
  const wellFormed = text.toWellFormed();
  return wellFormed.replaceAll(invisible(), (character, at: number) => {
    if (isNeeded(character, wellFormed, at) || isHyphenation(character, wellFormed, at)) return character;
    return ' '.repeat(character.length);
  });
}

/** A single soft hyphen within a word is harmless; a space in its place would split the word. */
function isHyphenation(character: string, text: string, at: number): boolean {
  return (
    character === '\u00ad' &&
    letterOrMark().test(characterBefore(text, at)) &&
    letterOrMark().test(characterAt(text, at + 1))
  );
}

/** Masks every string of an answer. Values with nothing to mask are returned unchanged, not copied. */
export function maskStrings<T>(answer: T): T {
  return masked(answer) as T;
}

function masked(value: unknown): unknown {
  if (typeof value === 'string') return maskText(value);
  if (value === null || typeof value !== 'object') return value;
  if (Array.isArray(value)) {
    const entries = value.map(masked);
    return entries.some((entry, at) => entry !== value[at]) ? entries : value;
  }
  const names = Object.keys(value);
  const fields = names.map((name) => masked((value as Record<string, unknown>)[name]));
  if (fields.every((field, at) => field === (value as Record<string, unknown>)[names[at] ?? ''])) return value;
  return Object.fromEntries(names.map((name, at) => [name, fields[at]]));
}

/** Not white space, a control character, or a character that fonts draw as nothing. */
const visibleCharacter = madeWhenUsed(() => /[^\s\p{Cc}\p{Default_Ignorable_Code_Point}]/u);

/** Whether a reader would see anything of `text`. */
export function hasVisibleText(text: string): boolean {
  return visibleCharacter().test(text);
}

/** `cleanText` on one line: every run of white space becomes one space. */
export function cleanLine(text: string): string {
  return cleanText(text).replaceAll(/\s+/g, ' ').trim();
}
