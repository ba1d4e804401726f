/*
 * Marks of notes and references: [1], [^1] or a superscript. They belong to the sentence before them, but not to its
 * words.
 */

export const raisedDigit = '[⁰¹²³⁴-⁹]';
const raisedDigits = `${raisedDigit}{1,4}`;

/** Pattern of a note mark in Markdown, where it may be a link. */
export const noteMark = String.raw`\[\^?\d{1,3}\]|${raisedDigits}|\[(?:\\\[\d{1,3}\\\]|\d{1,3}|${raisedDigits})\]\([^()\s]{0,1000}\)`;

/** A superscript after a short word (m²), a digit or a bracket is an exponent, not a note mark. */
const marks = new RegExp(
  String.raw`(?:(?<=[\p{L}.,;:!?"'”’)])(?:\[[1-9]\d{0,2}\])+|(?<=\p{L}{4}|[.,;:!?"'”’])${raisedDigits})(?=$|[\s\p{P}])`,
  'gu',
);

/** Removes note marks from plain text. */
export function withoutNoteMarks(plain: string): string {
  return plain.replaceAll(marks, '');
}
