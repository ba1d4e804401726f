import { parse as parseYaml } from 'yaml';

/*
 * Reads a note as Obsidian and its plugins do: properties as YAML, tasks as the plugin Tasks reads them (a line is a task by its box; the
 * signs are looked for from its end, behind the reference of the block), links and names of fields as Dataview finds them.
 */

export interface ObsidianTask {
  status: string;
  words: string;
  /** By sign: `📅` for the day on which it is due, … */
  dates: Record<string, string>;
  priority: string | null;
  blockId: string | null;
}

export interface ObsidianNote {
  properties: Record<string, unknown>;
  body: string;
  tasks: ObsidianTask[];
  links: string[];
  highlights: string[];
  /** Languages of code blocks, which plugins run by their names. */
  languages: string[];
  inlineFields: string[];
}

const dated = /\s*([➕🛫⏳📅✅❌]) *(\d{4}-\d\d-\d\d)$/u;
const prioritised = /\s*([🔺⏫🔼🔽⏬])$/u;

function readTask(line: string): ObsidianTask[] {
  const [, status = '', rest] = /^[\s>]*(?:[-*+]|\d+[.)]) +\[(.)\] *(.*)$/u.exec(line) ?? [];
  if (rest === undefined) return [];
  const [reference = '', blockId = null] = / \^([a-zA-Z0-9-]+)$/.exec(rest) ?? [];
  const task: ObsidianTask = {
    status,
    words: rest.slice(0, rest.length - reference.length).trimEnd(),
    dates: {},
    priority: null,
    blockId,
  };
  for (;;) {
    const date = dated.exec(task.words);
    const priority = prioritised.exec(task.words);
    const [whole = ''] = date ?? priority ?? [];
    if (whole === '') return [task];
    if (date !== null) task.dates[date[1] ?? ''] = date[2] ?? '';
    else task.priority = priority?.[1] ?? null;
    task.words = task.words.slice(0, -whole.length).trimEnd();
  }
}

export function readAsObsidian(text: string): ObsidianNote {
  const [whole = '', front = ''] = /^---\r?\n([\s\S]*?)\r?\n---(?:\r?\n|$)/.exec(text) ?? [];
  const body = text.slice(whole.length);
  const lines = body.split(/\r?\n/);
  return {
    properties: (parseYaml(front) ?? {}) as Record<string, unknown>,
    body,
    tasks: lines.flatMap(readTask),
    links: [...text.matchAll(/\[\[([^\]|#]+)/g)].map(([, name = '']) => name),
    highlights: [...body.matchAll(/==([^=\s](?:[^=\n]*[^=\s])?)==/g)].map(([, words = '']) => words),
    languages: [...body.matchAll(/^(?:`{3,}|~{3,})([^\s`]+)/gm)].map(([, language = '']) => language),
    inlineFields: lines.flatMap((line) => /^([\p{L}][\p{L}\p{N} _-]*):: /u.exec(line)?.[1] ?? []),
  };
}
