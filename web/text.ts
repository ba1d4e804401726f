import type { ContentStatus, ContentType } from './data/records.ts';

/* How the page writes numbers and times, and words that several of its parts show. Other words are written where they are shown. */

const number = (count: number): string => count.toLocaleString('en');
const counted = (count: number, one: string, many = `${one}s`): string =>
  `${number(count)} ${count === 1 ? one : many}`;

const kinds: Readonly<Record<ContentType, string>> = {
  youtube: 'Video',
  article: 'Article',
  pdf: 'PDF',
  video: 'Video file',
  podcast: 'Podcast',
  discussion: 'Discussion',
  repo: 'Repository',
  post: 'Post',
  paper: 'Paper',
  feed: 'Feed',
  ebook: 'Book',
  document: 'Document',
  text: 'Note',
  image: 'Picture',
};

const months = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'];

const isBrowser = 'document' in globalThis;

/** The time in the time zone of this machine, as 2026-03-31T09:05. */
export function localTime(date: Date): string {
  return new Date(date.getTime() - date.getTimezoneOffset() * 60_000).toISOString().slice(0, 16);
}

/** An ISO time as the clock of the person shows it. The server does not know their time zone; a day alone has none. */
function here(time: string): string {
  if (!isBrowser || time.length <= 10 || time.slice(11).startsWith('00:00:00')) return time;
  return localTime(new Date(time));
}

/** What is done with an item, one after the other. */
const stages = {
  fetch: 'Being fetched',
  extract: 'Being read',
  split: 'Being split into passages',
  embed: 'Being prepared for search',
  analyse: 'Being summarised',
};

const pageWords = [
  ['; `commonplace retry` tries again', '. Try again when it may help'],
  ['run `commonplace retry`', 'try again here'],
  [', or save the page as a file and that file from the command line', ', or save it as a file and drop that here'],
  ['save it again together with its text', 'paste its text here'],
  [
    'Turn on text recognition (setting `ocr`; `commonplace doctor` says what it needs) and retry, or',
    'Ask whoever runs the server to turn on text recognition, or',
  ],
  [
    'Give it on the command line: `commonplace retry <id> --password <password>`, or `commonplace save <file> --password <password>`.',
    'Save a copy that has none.',
  ],
  ['only the command line can save files (commonplace save <file>)', 'drop it on the page to save it'],
  [', or write it with the command line: commonplace export <folder>', ''],
] as const;

/** As fast as people read. */
const wordsPerMinute = 230;

export const text = {
  views: {
    library: 'Library',
    lists: 'Lists',
    sources: 'Sources',
    reading: 'Reading',
    actions: 'To do',
    goals: 'Goals',
    week: 'This week',
    save: 'Save',
    problems: 'Problems',
    history: 'History',
    trash: 'Trash',
    settings: 'Settings',
    browser: 'Connect a browser',
    missing: 'Nothing here',
  },
  kinds,
  counted,
  number,
  /** A day, from an ISO time: where the person is, in the browser. */
  day: (time: string): string => {
    const local = here(time);
    return `${Number(local.slice(8, 10))} ${months[Number(local.slice(5, 7)) - 1] ?? ''} ${local.slice(0, 4)}`;
  },
  /** A minute, from an ISO time. */
  minute: (time: string): string => `${text.day(time)}, ${here(time).slice(11, 16)}${isBrowser ? '' : ' UTC'}`,
  saved: (day: string): string => `saved ${day}`,
  clock: (seconds: number): string => {
    const [hours, minutes, rest] = [
      Math.floor(seconds / 3_600),
      Math.floor(seconds / 60) % 60,
      Math.floor(seconds % 60),
    ];
    const padded = (value: number) => String(value).padStart(2, '0');
    return hours > 0 ? `${hours}:${padded(minutes)}:${padded(rest)}` : `${minutes}:${padded(rest)}`;
  },
  page: (page: number): string => `p. ${page}`,
  connectionLost: 'The server does not answer. What you see may be old. Trying again…',
  /** What a button does, and with what. It begins with what is seen, for whoever says it to their computer. */
  named: (label: string, of: string): string => `${label}: ${of}`,
  /** An answer of an earlier request has no outcome. */
  undoneOrNot: ({ outcome }: { outcome?: string }): string =>
    outcome === 'changed_since' ? 'It was changed since, so it was not undone.' : 'Undone.',
  /** What the browser keeps until the server has it. */
  kept: { shared: 'This is kept here, and not saved yet: the server does not answer, or you are not signed in.' },
  library: {
    items: (count: number): string => counted(count, 'item'),
    states: { completed: 'Ready', processing: 'Being read', pending: 'Waiting', failed: 'Failed' },
    shelves: { inbox: 'Inbox', later: 'Later', archive: 'Archive', all: 'Everything' },
    /** How far an unfinished item is. Only what is read now is at a stage, and only what has an address is fetched. */
    progress: (status: ContentStatus, stage: keyof typeof stages, url: string | null): string =>
      status === 'processing'
        ? `${stages[stage === 'fetch' && url === null ? 'extract' : stage]}…`
        : 'Waiting for its turn',
  },
  reading: {
    words: (count: number): string => `${text.number(Math.max(1, Math.round(count / wordsPerMinute)))} min read`,
    left: (words: number): string => `${text.number(Math.ceil(words / wordsPerMinute))} min left`,
    picture: (alt: string): string => (alt === '' ? 'Picture' : `Picture: ${alt}`),
  },
  settings: {
    choices: {
      theme: { title: 'Colours', values: { system: 'As the system', light: 'Light', dark: 'Dark' } },
      rows: {
        title: 'Rows of the library',
        values: { list: 'With summaries', compact: 'One line each', cards: 'Cards with pictures' },
      },
      size: { title: 'Size of the text', values: { s: 'Small', m: 'Medium', l: 'Large', xl: 'Very large' } },
      width: { title: 'Width of the text', values: { s: 'Narrow', m: 'Medium', l: 'Wide' } },
      lines: { title: 'Distance of lines', values: { s: 'Close', m: 'Medium', l: 'Far' } },
    },
  },
  keys: {
    /** What a key is called, where it is not its letter. */
    names: { C: 'Shift c', E: 'Shift e', R: 'Shift r' } as Readonly<Record<string, string>>,
  },
  items: {
    fields: { title: 'Title', notes: 'Your notes', tags: 'Tags' },
    removed: (count: number): string =>
      count === 1
        ? 'Deleted. It can be restored for 30 days.'
        : `${number(count)} deleted. They can be restored for 30 days.`,
    refreshed: 'The page is fetched again. The text stays until it has changed.',
  },
  todo: {
    priorities: { high: 'High', normal: 'Normal', low: 'Low' },
    priorityOf: { high: 'high priority', normal: '', low: 'low priority' },
  },
  save: {
    placeholder: 'Paste an address, or write a note',
    shared: (count: number): string => (count === 1 ? 'Saved.' : `${counted(count, 'item')} saved.`),
  },
  problems: {
    /** What the server says, where it names what other interfaces offer. A sentence about a command is left out. */
    words: (message: string): string => {
      const here = pageWords.reduce((all, [there, words]) => all.replaceAll(there, words), message);
      const sentences = here.split(/(?<=\.) /).filter((sentence) => !/\bcommonplace [a-z]/.test(sentence));
      return sentences.join(' ') || here;
    },
  },
};
