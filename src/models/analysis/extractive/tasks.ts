import { isVisiblyEnglish } from '../../../domain/search/question-language.ts';
import { sentences } from '../../../domain/text/sentences.ts';
import { shortened, withoutTrailing } from '../../../domain/text/shortened.ts';
import { maxTasks, type Analysis } from '../../../domain/records/analyses/analysis.ts';
import type { ActionPriority } from '../../../domain/records/analyses/action.ts';
import { plainText } from '../../../domain/text/plain-text.ts';
import { speaksToMachines } from './instructions.ts';
import { english } from './languages/english.ts';
import { french, italian, list, type InstructionTable, portuguese, spanish } from './languages/tables.ts';
import { contains, phrases, wordsOf } from './words.ts';

/*
 * The tasks in a person’s own note: open check boxes, what stands behind "TODO" or "I should", the list under "To do", and
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

/*
 * The day that a task names. Names of months and days are those of the platform. A wrong day is worse than none: two days, a
 * day of the past, "next Friday" and "every Monday" are none.
 */

const dayMs = 86_400_000;
/** A day and month this long ago are meant for the next year; a nearer past is not to be told. */
const longAgo = 90;

interface Names {
  /** Long and short names, in lower case. */
  months: ReadonlyMap<string, number>;
  days: ReadonlyMap<string, number>;
  /** "tomorrow" → 1; the words of those with several stand with spaces. */
  relative: readonly { words: string; days: number }[];
}
const known = new Map<string, Names>();

const wordsIn = (text: string): string => ` ${(text.toLowerCase().match(/\p{L}+/gu) ?? []).join(' ')} `;

function namesOf(code: string): Names {
  const forms = (name: 'month' | 'weekday', date: number, value: number): [string, number][] =>
    (['long', 'short'] as const).flatMap((length): [string, number][] => {
      // Short names of days are words: "sun", "mar", "so", "do".
      if (length === 'short' && name === 'weekday') return [];
      const format = new Intl.DateTimeFormat(code, { [name]: length, timeZone: 'UTC' });
      return [[format.format(date).toLowerCase().replace('.', '').replace('-feira', ''), value]];
    });
  const relative = new Intl.RelativeTimeFormat(code, { numeric: 'auto' });
  return {
    months: new Map(Array.from({ length: 12 }, (_, month) => forms('month', Date.UTC(2026, month, 15), month)).flat()),
    // The 4th of January 2026 is a Sunday.
    days: new Map(Array.from({ length: 7 }, (_, day) => forms('weekday', Date.UTC(2026, 0, 4 + day), day)).flat()),
    relative: [2, 1, 0].flatMap((days) => {
      const words = relative.format(days, 'day');
      // Without its number "in 2 days" would be any number of days.
      return /\p{N}/u.test(words) ? [] : [{ days, words: wordsIn(words) }];
    }),
  };
}

const isoDay = (time: number): string => new Date(time).toISOString().slice(0, 10);

/** The day by which `text` is to be done, `2026-03-31`, or null. @param today the day on which it was written */
export function dueIn(text: string, code: string, today: string): string | null {
  const names = known.get(code) ?? namesOf(code);
  known.set(code, names);
  const now = Date.parse(`${today}T00:00:00Z`);
  const found = new Set<string>();
  const add = (year: number | null, month: number, day: number): void => {
    const inYear = (one: number): number => Date.UTC(one, month, day);
    let time = inYear(year ?? new Date(now).getUTCFullYear());
    if (new Date(time).getUTCMonth() !== month || new Date(time).getUTCDate() !== day) return;
    if (year === null && (now - time) / dayMs > longAgo) time = inYear(new Date(now).getUTCFullYear() + 1);
    found.add(time < now ? '' : isoDay(time));
  };
  for (const [, year, month, day] of text.matchAll(/\b(20\d\d)-(\d\d)-(\d\d)\b/g))
    add(Number(year), Number(month) - 1, Number(day));
  // "20.03." and, outside English, "20/03"; "2.10" and "3/4" are numbers.
  const numeric = [...text.matchAll(/\b(\d{1,2})\.(\d{1,2})\.(20\d\d)?/g)];
  if (code !== 'en') numeric.push(...text.matchAll(/\b(\d{1,2})\/(0\d|1[0-2])(?:\/(20\d\d))?\b/g));
  for (const [, day, month, year] of numeric)
    add(year === undefined ? null : Number(year), Number(month) - 1, Number(day));
  const words = [...text.matchAll(/\p{L}+/gu)];
  for (const { 0: word, index } of words) {
    const month = names.months.get(word.toLowerCase());
    if (month === undefined) continue;
    const before = /(\d{1,2})(?:st|nd|rd|th|er|º|°|\.)?(?: of| de| di| d['’])? ?$/i.exec(
      text.slice(Math.max(0, index - 12), index),
    )?.[1];
    const behind = text.slice(index + word.length, index + word.length + 20);
    const [, after, year] = /^\.?(?: (\d{1,2})(?!\d)(?:st|nd|rd|th)?)?(?:,? (?:de )?(20\d\d))?/.exec(behind) ?? [];
    const day = before ?? (code === 'en' ? after : undefined);
    if (day !== undefined) add(year === undefined ? null : Number(year), month, Number(day));
  }
  if (found.size === 0) {
    for (const { 0: word, index } of words) {
      const day = names.days.get(word.toLowerCase());
      if (day === undefined) continue;
      const isOther =
        notThisDay.test(text.slice(Math.max(0, index - 20), index)) || afterDay.test(text.slice(index + word.length));
      found.add(isOther ? '' : isoDay(now + (((day - new Date(now).getUTCDay() + 6) % 7) + 1) * dayMs));
    }
    const all = wordsIn(text);
    const soon = names.relative.find((one) => all.includes(one.words));
    if (soon !== undefined && !morning.test(text)) found.add(isoDay(now + soon.days * dayMs));
    else if (all.includes(' tonight ')) found.add(isoDay(now));
  }
  const [day] = found;
  return found.size === 1 && day !== '' ? (day ?? null) : null;
}

const notThisDay =
  /(?:every|each|next|last|since|on a|jeden?|nächsten?|letzten?|seit|chaque|dernier|depuis|tous les|cada|todos los|desde|pasado|ogni|scorso|todas as|elke|volgende|vorige|sinds)\s+$/i;
const afterDay = /^ (?:dernier|pasado|scorso|passad[oa])\b/i;
/** "mañana" and "morgen" are mornings, too. */
const morning = /\b(?:la mañana|am morgen|guten morgen|jeden morgen|de morgen)\b/i;

/** The ways in which people note in a language what they have to do. */
interface TaskTable {
  /** The words before the task itself: "I should", "je dois". */
  cue: RegExp;
  /** Signs that a line is no task: wishes, what others do, what is past. */
  none: RegExp;
  /** True if a clause without a cue says what to do. */
  tells(clause: string): boolean;
}

/** The first word is an infinitive of the language, or one of its imperatives. */
function beginsWith(infinitive: RegExp, exceptions: string, { forms }: InstructionTable): TaskTable['tells'] {
  const others = list(exceptions);
  return (clause) => {
    const first = /^[\p{L}'’-]+(?= )/u.exec(clause)?.[0].toLowerCase() ?? '';
    return !others.has(first) && (infinitive.test(first) || forms.has(first));
  };
}

/** The clause ends with an infinitive, before at most a phrase that says where, with whom or what about. */
function endsWith(exceptions: RegExp, phrase: RegExp, finite: RegExp): TaskTable['tells'] {
  return (clause) => {
    if (finite.test(clause)) return false;
    const words = clause.replace(/[.!]$/, '').replace(phrase, '').trim();
    const last = / (\p{Ll}{3,}(?:en|ern|eln)|doen|gaan|zien)$/u.exec(words)?.[1];
    return last !== undefined && !exceptions.test(last);
  };
}

const participle =
  /^(?:(?:ab|an|auf|aus|ein|mit|nach|vor|weg|zu|zurück|op|af|uit|in|mee|terug)?ge(?!hen|ben|nießen|langen|ven|nieten|bruiken)\p{L}+|(?:be|ver|ent)\p{L}*(?:kommen|loren|gessen|sprochen|gonnen|standen))$/u;

const taskTables: Readonly<Record<string, TaskTable>> = {
  en: {
    cue: /^(?:remember(?: to|:)|don['’]t forget(?: to|:)?|do not forget(?: to|:)?|(?:i|we) (?:really )?(?:should|must|need to|have to|ought to|still (?:need|have) to)(?: really)?|(?:i )?(?:need|have) to|i['’]ve got to|must)\s+/i,
    none: /\b(?:one day|some ?day|maybe|would be nice|idea|was|were|had|and made|and went)\b|^\p{L}+ (?:is|are|has|will)\b/iu,
    tells(clause) {
      const first = /^(?:please |don['’]t |never )?([A-Za-z]+)(?= [\p{L}\d])/u.exec(clause)?.[1]?.toLowerCase() ?? '';
      if (english.forms.has(first)) return !english.notAfterForm.test(clause.slice(first.length).trimStart());
      return noted.has(first) || (english.imperative?.test(clause) ?? false);
    },
  },
  de: {
    cue: /^(?:(?:ich )?(?:sollte|muss|müsste|soll)(?: (?:ich|endlich|noch|unbedingt|dringend|mal|wieder))*|denk(?:e)? daran,?|wir müssen)\s+/i,
    none: /(?<!\p{L})(?:irgendwann|eines tages|vielleicht|idee|war|hatte)(?!\p{L})/iu,
    tells: endsWith(
      participle,
      / (?:wegen|für|bei|mit|zur?|zum|an|auf|im?|bis|vor|nach|von|vom|um|über|am)(?: [^\s,]+){1,4}$/iu,
      /(?<!\p{L})(?:ist|sind|war|hat|haben|hatte|wird|kann|können|will|wollen|ich|er|sie|wir|man)(?!\p{L})/iu,
    ),
  },
  nl: {
    cue: /^(?:ik (?:moet|zou|dien|wil nog)(?: (?:nog|echt|eens|moeten|ook|eigenlijk))*|denk eraan(?: om)?|vergeet niet(?: om)?)\s+/i,
    none: /(?<!\p{L})(?:ooit|misschien|idee|was|had)(?!\p{L})/iu,
    tells: endsWith(
      participle,
      / (?:over|naar|voor|met|bij|in|op|van|aan|om|tot|uit)(?: [^\s,]+){1,4}$/iu,
      /(?<!\p{L})(?:is|zijn|was|heeft|hebben|wordt|kan|wil|willen|ik|hij|zij|we|wij|die|men)(?!\p{L})/iu,
    ),
  },
  fr: {
    cue: /^(?:je (?:dois|devrais)(?: (?:vraiment|encore|absolument))?|il (?:faut|faudrait)(?: que je)?|(?:n['’]oublie pas|penser|pense)(?: à| de| d['’]))\s+/i,
    none: /(?<!\p{L})(?:un jour|peut-être|idée|était|avait)(?!\p{L})/iu,
    tells: beginsWith(
      /^\p{L}{2,}(?:er|ir|re|oir)$/u,
      'hier premier dernier cher hiver soir noir notre votre entre autre contre papier cahier quatre lettre livre encore',
      french,
    ),
  },
  es: {
    cue: /^(?:(?:tengo|hay) que|debo|debería|deberia|necesito|no (?:olvidar|olvides)|acordarme de|recuerda)\s+/i,
    none: /(?<!\p{L})(?:algún día|quizás?|idea|era|había)(?!\p{L})/iu,
    tells: beginsWith(
      /^\p{L}{2,}(?:[aeií]r)(?:l[aeo]s?|me|te|se|nos)*$/u,
      'ayer mujer lugar mar bar primer tercer hogar compra',
      spanish,
    ),
  },
  it: {
    cue: /^(?:(?:devo|dovrei)(?: (?:ancora|proprio))?|bisogna|ricordar(?:si|mi|ti)? di|ricordati di|non dimenticare di)\s+/i,
    none: /(?<!\p{L})(?:un giorno|forse|idea|era|aveva)(?!\p{L})/iu,
    tells: beginsWith(
      /^\p{L}{2,}(?:[aei]re|rre|[aei]r(?:l[aeio]|gli|mi|ti|si|ci|vi))$/u,
      'mare sempre oltre mentre altre',
      italian,
    ),
  },
  pt: {
    cue: /^(?:(?:tenho (?:de|que)|preciso(?: de)?|devo|devia|deveria|há que)|(?:não )?esquecer(?: de)?|lembrar(?:-me)?(?: de)?)\s+/i,
    none: /(?<!\p{L})(?:um dia|talvez|ideia|era|tinha)(?!\p{L})/iu,
    tells: beginsWith(
      /^\p{L}{2,}(?:[aeio]r|ôr)(?:-\p{L}+)?$/u,
      'lugar mar bar mulher qualquer flor cor valor por',
      portuguese,
    ),
  },
};

/** Verbs of errands that begin sentences of other kinds, too. */
const noted =
  list(`call email phone ring text book order pick post return renew cancel check ask fix buy pay send clean wash
  collect drop empty feed fill finish mail mend move oil paint plan plant print reply search sell sign sort start swap switch take talk tell test
  thank tidy try update visit walk water write bleed descale measure`);

const urgent = phrases(
  `urgent, urgently, asap, as soon as possible, high priority, top priority, dringend, eilig, so bald wie möglich, schnellstmöglich, d'urgence, au plus vite, dès que possible,
  urgente, urgentemente, cuanto antes, lo antes posible, al più presto, urgentemente, o quanto antes, o mais rápido possível, spoedeisend, zo snel mogelijk`,
);
const sometime = phrases(
  `someday, some day, at some point, eventually, no rush, no hurry, not urgent, low priority, if there is time, if i have time, nice to have, irgendwann, nicht dringend, nicht eilig, bei gelegenheit, un jour, pas urgent, à l'occasion,
  algún día, no es urgente, no urgente, sin prisa, non urgente, senza fretta, prima o poi, não urgente, não é urgente, sem pressa, algum dia, ooit, niet dringend, geen haast`,
);
const nearMs = 7 * 86_400_000;

/**
 * Guesses the priority of something to do: what is called urgent is high, and so is what serves a goal and is due within a
 * week; what can wait is low.
 * @param today the day on which the text was written; without it no day is near
 */
export function guessPriority(
  text: string,
  { due, servesGoal }: { due: string | null | undefined; servesGoal: boolean },
  today: string | undefined,
): ActionPriority {
  const words = wordsOf(text);
  if (contains(words, sometime)) return 'low';
  const isNear = due !== null && due !== undefined && Date.parse(due) - Date.parse(today ?? '') <= nearMs;
  return contains(words, urgent) || (isNear && servesGoal) ? 'high' : 'normal';
}
