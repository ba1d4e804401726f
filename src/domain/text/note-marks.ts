/*
 * The marks of notes and references: [1], [^1], a raised number. They belong to the sentence that they stand behind, and are no part
 * of what it says.
 */

export const raisedDigit = '[⁰¹²³⁴-⁹]';
const raisedDigits = `${raisedDigit}{1,4}`;

/** Pattern of one as it stands in Markdown, where it may be a link. */
export const noteMark = String.raw`\[\^?\d{1,3}\]|${raisedDigits}|\[(?:\\\[\d{1,3}\\\]|\d{1,3}|${raisedDigits})\]\([^()\s]{0,1000}\)`;

/** A raised number is an exponent behind a short word (m²), a digit or a bracket. */
const marks = new RegExp(
  String.raw`(?:(?<=[\p{L}.,;:!?"'”’)])(?:\[[1-9]\d{0,2}\])+|(?<=\p{L}{4}|[.,;:!?"'”’])${raisedDigits})(?=$|[\s\p{P}])`,
  'gu',
);

/** Plain text without them. */
export function withoutNoteMarks(plain: string): string {
  return plain.replaceAll(marks, '');
}
