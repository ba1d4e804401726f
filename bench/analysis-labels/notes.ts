/** Measures the tasks found in notes of one's own: `node bench/analysis-labels/notes.ts`. Of `held-out` it prints counts alone; `--show` prints those of `train`. */
import { tasksIn } from '../../src/models/analysis/extractive/tasks.ts';
import { readLines, type Split } from './material.ts';

const words = (text: string): string[] => text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [];
/** Without regard to endings: words that begin alike. */
const isAlike = (one: string, other: string): boolean => one.slice(0, 5) === other.slice(0, 5);
const count = new Map<string, { notes: number; right: number }>();
for (const { language, today, text, tasks, split } of readLines<{
  language: string;
  today: string;
  text: string;
  tasks: { title: string; due?: string }[];
  split: Split;
}>(new URL('notes.jsonl', import.meta.url))) {
  const found = tasksIn(text, language, today);
  const left = new Set(found);
  const isFound = ({ title, due }: { title: string; due?: string }): boolean => {
    const wanted = words(title);
    for (const one of left) {
      const own = words(one.title);
      const shared = wanted.filter((word) => own.some((other) => isAlike(word, other))).length;
      if (3 * shared < 2 * wanted.length || (one.due ?? null) !== (due ?? null)) continue;
      left.delete(one);
      return true;
    }
    return false;
  };
  const isRight = tasks.every(isFound) && left.size === 0;
  for (const name of [split, `${split} ${language}`]) {
    const sum = count.get(name) ?? { notes: 0, right: 0 };
    count.set(name, { notes: sum.notes + 1, right: sum.right + Number(isRight) });
  }
  if (!isRight && split === 'train' && process.argv.includes('--show'))
    console.log(language, JSON.stringify(text), tasks, found);
}
console.table(Object.fromEntries([...count].toSorted()));
