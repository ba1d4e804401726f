import { isVisiblyEnglish } from '../../../domain/search/question-language.ts';
import { sentences } from '../../../domain/text/sentences.ts';
import { shortened } from '../../../domain/text/shortened.ts';
import { withoutTrailing } from '../../../domain/text/trailing.ts';
import { maxTasks, type Analysis } from '../../../domain/records/analysis.ts';
import type { ActionPriority } from '../../../domain/records/action.ts';
import { dueIn } from './due.ts';
import { guessPriority } from './priority.ts';
import { plainText } from '../../../domain/text/plain-text.ts';
import { speaksToMachines } from './machines.ts';
import { taskTables, type TaskTable } from './languages/task-tables.ts';

/*
 * The tasks in a note of one's own: open check boxes, what stands behind "TODO" or "I should", the list under "To do", and
 * lines in the imperative or, as people note things in other languages, in the infinitive.
 */

const maxLine = 400;
const maxTitle = 160;

/**
 * @param language of the note, as a tag; null: only its cues count, and English
 * @param today the day on which it was written, `2026-03-31`
 * @param how whether nothing but open check boxes counts
 */
export function tasksIn(
  text: string,
  language: string | null,
  today: string,
  { onlyBoxes = false } = {},
): Analysis['actions'] {
  const code = (language ?? 'en').slice(0, 2).toLowerCase();
  const table = taskTables[code];
  const tasks: Analysis['actions'] = [];
  const add = (start: number, source: string, line: string): void => {
    const trimmed = source.replace(/^[\s–-]+/, '').trim();
    const from = start + source.indexOf(trimmed);
    const title = shortened(withoutTrailing(plainText(trimmed), '.;,:!').trimEnd(), maxTitle);
    if (title === '' || tasks.length === maxTasks || speaksToMachines(trimmed)) return;
    const quote = { start: from, end: from + trimmed.length };
    const due = dueIn(line.includes(' – ') ? line : trimmed, code, today);
    tasks.push({ title: title.charAt(0).toUpperCase() + title.slice(1), reason: null, quote, goalId: null, due });
  };
  let isListed = false;
  let at = 0;
  for (const line of text.split('\n')) {
    const start = at;
    at += line.length + 1;
    if (line.trim() === '' || line.length > maxLine || /^\s*>/.test(line)) continue;
    const [mark = '', box] = /^\s*(?:[-*+•]|\d{1,3}[.)])\s+(?:\\?\[([ xX])\\?\]\s+)?/.exec(line) ?? [];
    const rest = line.slice(mark.length);
    const from = start + mark.length;
    if (box !== undefined) {
      if (box === ' ') add(from, rest, rest);
    } else if (onlyBoxes) continue;
    else if (mark !== '' && isListed) add(from, rest, rest);
    else {
      isListed = listHeader.test(rest) && !/[.!?]$/.test(rest);
      if (!isListed) addSentences(rest, from, table, (at, source) => add(at, source, rest));
    }
  }
  return tasks;
}

/** A task with its words in the note. */
export interface QuotedTask {
  title: string;
  quote: string;
  due: string | null;
  priority: ActionPriority;
}

/**
 * The tasks in a person's notes on an item and on its highlights, each once.
 * @param language of the item; a note in English is told by its words
 */
export function tasksInNotes(notes: readonly string[], language: string | null, today: string): QuotedTask[] {
  const tasks = new Map<string, QuotedTask>();
  for (const note of notes) {
    const found = tasksIn(note, isVisiblyEnglish(note) ? 'en' : language, today);
    for (const { title, quote: span, due = null } of found) {
      if (tasks.size === maxTasks || tasks.has(title)) continue;
      const quote = note.slice(span.start, span.end);
      const priority = guessPriority(quote, { due, servesGoal: false }, today);
      tasks.set(title, { title, quote, due, priority });
    }
  }
  return [...tasks.values()];
}

/** Begins a list of tasks; the words behind it are its subject. */
const listHeader =
  /^(?:#+ )?(?:to-?do|to do|need to|tasks?|next steps|zu erledigen|aufgaben|à faire|por hacer|pendientes?|tareas|da fare|a fazer|tarefas|te doen|taken)(?: (?:for|in|at|für|im|pour|para|per|voor) [^:.]{1,40})?:?\s*$/i;

function addSentences(
  line: string,
  from: number,
  table: TaskTable | undefined,
  add: (start: number, source: string) => void,
): void {
  for (const { start, end } of sentences(line)) {
    const sentence = line.slice(start, end);
    if (/^[\s"“„«'‘]/.test(sentence) || measure.test(sentence)) continue;
    const cue = anyCue.exec(sentence)?.[0] ?? table?.cue.exec(sentence)?.[0];
    if (cue !== undefined) {
      let at = start + cue.length;
      for (const part of sentence.slice(cue.length).split(';')) {
        if (/\p{L}{2}/u.test(part)) add(from + at, part);
        at += part.length + 1;
      }
      continue;
    }
    const dash = sentence.lastIndexOf(' – ');
    const clause = dash === -1 ? sentence : sentence.slice(dash + 3);
    if (table !== undefined && !table.none.test(sentence) && table.tells(clause)) add(from + start, sentence);
  }
}

const measure = /\b\d+ ?(?:g|kg|ml|cl|dl|EL|TL|tbsp|tsp|cups?)\b/;
const anyCue =
  /^(?:to-?do|to do|fixme|action(?: item)?|reminder|next steps?|nicht vergessen|erinnerung|aufgabe|à faire|ne pas oublier(?: de)?|rappel|no olvidar|recordar|pendiente|por hacer|da fare|non dimenticare(?: di)?|promemoria|a fazer|não esquecer(?: de)?|lembrar(?: de)?|te doen|niet vergeten(?: om)?|herinnering)(?:\s*[:–-]\s*|\s+(?=\p{L}))/iu;
