import { createInterface } from 'node:readline/promises';
import { goalCategories } from '../../domain/records/analyses/goal-categories.ts';
import type { CommandContext } from '../context.ts';

export interface Questions {
  ask: (text: string) => Promise<string>;
  close: () => void;
}

/** Null without a terminal, and with `--json`. */
export function openQuestions({ streams, json, signal }: CommandContext): Questions | null {
  if (json || !streams.stdin.isTTY) return null;
  const terminal = createInterface({ input: streams.stdin, output: streams.stderr });
  // Ctrl-D: there will be no answer.
  const ended = new AbortController();
  terminal.once('close', () => ended.abort());
  const either = AbortSignal.any([signal, ended.signal]);
  return {
    ask: async (text) => (await terminal.question(text, { signal: either })).trim(),
    close: () => terminal.close(),
  };
}

export async function askYesOrNo({ ask }: Questions, text: string): Promise<boolean> {
  const answer = (await ask(`${text} [Y/n] `)).toLowerCase();
  return answer === '' || answer === 'y' || answer === 'yes';
}

/**
 * Asks which of several numbered things are meant, until the answer is valid. They may be named as well.
 * @param choices the names of each of them
 * @returns their indexes, each once; all of them for an empty answer
 */
export async function askWhich(
  { ask }: Questions,
  text: string,
  choices: readonly (readonly string[])[],
): Promise<number[]> {
  for (;;) {
    const answer = await ask(text);
    if (answer === '' || answer.toLowerCase() === 'all') return choices.map((_, index) => index);
    const chosen = chosenBy(answer, choices);
    if (chosen !== null) return chosen;
    text = `Numbers from 1 to ${choices.length}, or names, with commas between them; nothing for all: `;
  }
}

/** The choices that an answer names (`2, cursor`, `1 3`); null when a part of it names none, or more than one. */
function chosenBy(answer: string, choices: readonly (readonly string[])[]): number[] | null {
  const indexes = answer.split(',').flatMap((part) => {
    const whole = choiceNamed(part.trim(), choices);
    return whole >= 0
      ? [whole]
      : part
          .trim()
          .split(/\s+/)
          .map((word) => choiceNamed(word, choices));
  });
  return indexes.every((index) => index >= 0) ? [...new Set(indexes)] : null;
}

/** By number, name or the beginning of one name; -1 when there is no such choice. */
function choiceNamed(text: string, choices: readonly (readonly string[])[]): number {
  if (/^\d{1,4}$/.test(text)) return Number(text) <= choices.length ? Number(text) - 1 : -1;
  const [given, named] = [text.toLowerCase(), choices.map((names) => names.map((name) => name.toLowerCase()))];
  const exact = named.findIndex((names) => names.includes(given));
  const begun = named.flatMap((names, index) => (names.some((name) => name.startsWith(given)) ? [index] : []));
  return exact < 0 && begun.length === 1 && given !== '' ? (begun[0] ?? -1) : exact;
}

export interface AskedGoal {
  title: string;
  category: (typeof goalCategories)[number];
}

/** How many goals setting up offers. */
const maxGoals = 3;

export async function askGoals({ ask }: Questions, tell: (text: string) => void): Promise<AskedGoal[]> {
  tell(
    `\nWhat are you working towards? Things to do that Commonplace finds are tied to your goals. Up to ${maxGoals}, or nothing to go on; later: commonplace goal add`,
  );
  const goals: AskedGoal[] = [];
  while (goals.length < maxGoals) {
    const title = await ask(`Goal ${goals.length + 1}: `);
    if (title === '') break;
    goals.push({ title, category: await askCategory(ask) });
  }
  return goals;
}

async function askCategory(ask: Questions['ask']): Promise<AskedGoal['category']> {
  const choices = goalCategories.map((category) => [category]);
  let text = `Is it about ${goalCategories.map((category, index) => `${category} (${index + 1})`).join(', ')}? `;
  for (;;) {
    const chosen = chosenBy(await ask(text), choices) ?? [];
    const category = goalCategories[chosen[0] ?? -1];
    if (category !== undefined && chosen.length === 1) return category;
    text = `One of them, by its name or a number from 1 to ${choices.length}: `;
  }
}
