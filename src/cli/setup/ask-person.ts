import { createInterface } from 'node:readline/promises';
import { goalCategories } from '../../domain/records/goal-categories.ts';
import type { CommandContext } from '../context.ts';

/** Asks questions on the terminal, one after the other. */
export interface Questions {
  ask: (text: string) => Promise<string>;
  close: () => void;
}

/** Null without a terminal, and with `--json`. */
export function openQuestions({ streams, json, signal }: CommandContext): Questions | null {
  if (json || !streams.stdin.isTTY) return null;
  const terminal = createInterface({ input: streams.stdin, output: streams.stderr });
  // Ctrl-D: there will be no answer any more.
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
 * Asks which of several numbered things are meant. Asks again until the answer is valid.
 * @returns their indexes; all of them for an empty answer
 */
export async function askWhich({ ask }: Questions, text: string, count: number): Promise<number[]> {
  for (;;) {
    const answer = await ask(text);
    if (answer === '') return Array.from({ length: count }, (_, index) => index);
    const numbers = answer.split(/[\s,]+/).map(Number);
    if (numbers.every((number) => Number.isInteger(number) && number >= 1 && number <= count))
      return [...new Set(numbers)].map((number) => number - 1);
    text = `Numbers from 1 to ${count}, with commas between them; nothing for all: `;
  }
}

/** A goal as the user typed it. */
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
    const [category] = await askWhich({ ask, close: () => undefined }, categoryQuestion, goalCategories.length);
    goals.push({ title, category: goalCategories[category ?? 0] ?? goalCategories[0] });
  }
  return goals;
}

const categoryQuestion = `Is it about ${goalCategories.map((category, index) => `${category} (${index + 1})`).join(', ')}? `;
