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
