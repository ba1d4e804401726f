import type { SourceSentence } from './candidates.ts';
import { wordsOf } from './words.ts';
import type { InstructionTable } from './languages/tables.ts';

/** Longer texts are no instructions that a person can use. In characters. */
const maxInstruction = 400;

/**
 * True if a sentence tells its reader to do something in their own life, by the table of its language. Every condition
 * is one of the table's lists; there are no rules for single languages here.
 */
export function instructs(sentence: SourceSentence, table: InstructionTable): boolean {
  return speaksInImperative(sentence, table) && canBeTickedOff(sentence, table);
}

/** False if one cannot tell when an instruction is done: "Focus on quality." */
export function canBeTickedOff({ plain }: SourceSentence, table: InstructionTable): boolean {
  return !clausesOf(plain, table).some((clause) => table.notTasks.test(clause));
}

/** True if it has the form of an instruction, though one may not be able to tick it off. */
export function speaksInImperative({ plain, kind, quoted, linked }: SourceSentence, table: InstructionTable): boolean {
  if (plain.length < 12 || plain.length > maxInstruction || linked > 0.5 || quoted || kind === 'quote') return false;
  if (!/[.!][»”"’)\]]*$/u.test(plain) && kind !== 'list') return false;
  if (/[?:…]$/u.test(plain) || /^["“„«»‹'‚¿\p{Ll}]/u.test(plain) || /[»”“"]\s*,/u.test(plain)) return false;
  if (wordsOf(plain).length < 2 || speaksToMachines(plain)) return false;
  if (table.boilerplate.test(plain) || table.notOurs.test(plain)) return false;
  if (table.headline?.test(withoutLabel(plain)) === true) return false;
  const clauses = clausesOf(plain, table);
  return !clauses.some((clause) => table.leaning.test(clause)) && clauses.some((clause) => instructsIn(clause, table));
}

/** The sentence after a label: "Batch cooking: Prepare meals." */
function withoutLabel(plain: string): string {
  return plain.slice(/^[^.!?:]{2,50}(?::|\s[–—])\s+(?=\p{Lu})/u.exec(plain)?.[0].length ?? 0);
}

/** The sentence, and what follows the comma of its opening clause: "Wenn du müde bist, schlaf." */
function clausesOf(plain: string, table: InstructionTable): string[] {
  const whole = withoutLabel(plain);
  const comma = /^[^,;]{3,140},\s+/u.exec(whole)?.[0] ?? '';
  const main = table.opening.test(whole) && comma !== '' ? [whole.slice(comma.length)] : [];
  const clauses = [...new Set([plain, whole]), ...main, ...afterOpening(whole, table)];
  return clauses.flatMap((clause) => {
    const first = withoutBefore(clause, table);
    return [clause, first, withoutBefore(first, table)];
  });
}

function withoutBefore(clause: string, table: InstructionTable): string {
  return clause.replace(table.before, '').replace(/^[,\s]+/, '');
}

/** In languages where the verb comes second, an opening without a comma stands before it: "Vor dem Training solltest du …". */
function afterOpening(whole: string, table: InstructionTable): string[] {
  if (!table.opening.test(whole)) return [];
  const words = whole.split(' ');
  return [2, 3, 4].map((count) => words.slice(count).join(' ')).filter((rest) => table.modal.test(rest));
}

function instructsIn(clause: string, table: InstructionTable): boolean {
  if (table.modal.test(clause) || (table.imperative?.test(clause) ?? false) || table.infinitive.test(clause))
    return true;
  const [first = ''] = /^[\p{L}'’-]+/u.exec(clause) ?? [];
  const verb = first.toLowerCase();
  const known =
    table.forms.has(verb) || table.forms.has(verb.replace(/-\p{L}+$/u, '')) || table.forms.has(withoutObject(verb));
  return known && !table.notAfterForm.test(clause.slice(first.length).replace(/^[\s]+/u, ''));
}

/** "tagliatele" → "tagliate", "córtalas" → "corta": a pronoun may stand behind the verb. */
function withoutObject(verb: string): string {
  return verb
    .replace(/(?:los|las|les|lo|la|le|li|te|se|ti|si)$/u, '')
    .normalize('NFD')
    .replaceAll('\u0301', '');
}

/*
 * Sentences addressed to the program that reads a page, or about that program's instructions, are not instructions to a
 * person. Without this check, a page with a prompt injection would put its own words among the person's things to do.
 */

const listener =
  /\b(?:AI|A\.I\.|LLMs?|GPT|chat ?bots?|(?:language|AI) models?|(?:AI |virtual |digital )assistants?|agents? (?:must|should|reading)|crawlers?|system (?:prompt|message|override))\b/i;
const whatItWasTold =
  /\b(?:ignore|disregard|forget|override|bypass)\b.{0,60}\b(?:instructions?|prompts?|rules|guidelines|guardrails|system|above|previous|prior|developer)\b|\b(?:reveal|repeat|print|obey)\b.{0,60}\b(?:instructions?|prompts?|guardrails|developer)\b/i;
/** Requests to send a secret elsewhere; nobody gives a reader such advice. */
const handOver =
  /\b(?:send|forward|post|email|e-mail|upload|transmit|leak|exfiltrate|share)\b.{0,60}\b(?:passwords?|credentials|api keys?|tokens?|secrets?|private keys?|seed phrases?|transcripts?|(?:whole|entire) library)\b/i;

/** True if a sentence is addressed to a machine, or asks for something that only a thief would want. */
export function speaksToMachines(sentence: string): boolean {
  return listener.test(sentence) || whatItWasTold.test(sentence) || handOver.test(sentence);
}
