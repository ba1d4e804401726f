import { rhythmWords } from '../src/domain/clock.ts';
import type { ChangeFace } from '../src/domain/records/change.ts';
import type { ContentStatus, ContentType } from './data/records.ts';

/* How the page writes numbers and times, and words that several of its parts show or choose by a value. Other words are written where they are shown. */

const number = (count: number): string => count.toLocaleString('en');
const counted = (count: number, one: string, many = `${one}s`): string =>
  `${number(count)} ${count === 1 ? one : many}`;

const size = (bytes: number): string =>
  bytes < 1_000_000 ? `${number(Math.ceil(bytes / 1_000))} kB` : `${number(Math.round(bytes / 1_000_000))} MB`;

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

/** How the library shows an item. */
const rowsAs = { list: 'With summaries', compact: 'One line each', cards: 'Cards with pictures' };

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
  kept: {
    shared: 'This is kept here, and not saved yet: the server does not answer, or you are not signed in.',
  },
  search: {
    found: (total: number, bound = ''): string =>
      total === 0 ? 'Nothing found.' : `${bound}${counted(total, 'result')}`,
  },
  library: {
    items: (count: number): string => counted(count, 'item'),
    orders: { list: 'In the order of the list', newest: 'Newest first', oldest: 'Oldest first', title: 'By title' },
    rowsAs,
    states: { completed: 'Ready', processing: 'Being read', pending: 'Waiting', failed: 'Failed' },
    shelves: { inbox: 'Inbox', later: 'Later', archive: 'Archive', all: 'Everything' },
    emptyShelves: {
      inbox: 'Your inbox is empty. What you save comes here.',
      later: 'Nothing is kept for later. Press l on an item to put it here.',
      archive: 'Nothing is in the archive. Press e on an item to put it here.',
      all: 'Nothing matches these filters.',
    },
    /** How far an unfinished item is. Only what is read now is at a stage, and only what has an address is fetched. */
    progress: (status: ContentStatus, stage: keyof typeof stages, url: string | null): string =>
      status === 'processing'
        ? `${stages[stage === 'fetch' && url === null ? 'extract' : stage]}…`
        : 'Waiting for its turn',
  },
  first: {
    // Real pages that everybody may copy.
    pages: [
      {
        title: 'Commonplace book',
        url: 'https://en.wikipedia.org/wiki/Commonplace_book',
        licence: 'CC BY-SA',
      },
      {
        title: 'Replication and Analysis of Ebbinghaus’ Forgetting Curve',
        url: 'https://journals.plos.org/plosone/article?id=10.1371/journal.pone.0120644',
        licence: 'CC BY',
      },
      {
        title: 'Self-Reliance, by Ralph Waldo Emerson',
        url: 'https://en.wikisource.org/wiki/Essays:_First_Series/Self-Reliance',
        licence: 'public domain',
      },
    ],
  },
  reading: {
    words: (count: number): string => `${text.number(Math.max(1, Math.round(count / wordsPerMinute)))} min read`,
    left: (words: number): string => `${text.number(Math.ceil(words / wordsPerMinute))} min left`,
    colours: { yellow: 'Yellow', green: 'Green', blue: 'Blue', pink: 'Pink' },
    picture: (alt: string): string => (alt === '' ? 'Picture' : `Picture: ${alt}`),
  },
  settings: {
    choices: {
      theme: { title: 'Colours', values: { system: 'As the system', light: 'Light', dark: 'Dark' } },
      rows: { title: 'Rows of the library', values: rowsAs },
      size: { title: 'Size of the text', values: { s: 'Small', m: 'Medium', l: 'Large', xl: 'Very large' } },
      width: { title: 'Width of the text', values: { s: 'Narrow', m: 'Medium', l: 'Wide' } },
      lines: { title: 'Distance of lines', values: { s: 'Close', m: 'Medium', l: 'Far' } },
    },
    lastUsed: (time: string | null): string => (time === null ? 'not used yet' : `last used ${text.minute(time)}`),
    daysChoices: { 30: '30 days', 90: '90 days', 365: 'a year', 0: 'as long as it is not ended' },
    until: (day: string | null): string => (day === null ? 'Does not expire' : `Until ${day}`),
    heldTo: (held: { tags: readonly string[]; lists: readonly string[] } | null): string =>
      held === null ? '' : `held to ${[...held.tags.map((tag) => `#${tag}`), ...held.lists].join(', ')}`,
    resources: {
      content: 'saved items',
      search: 'search',
      actions: 'action items',
      goals: 'goals',
      history: 'history and undo',
      keys: 'keys',
    },
    levels: { read: 'read', write: 'write', delete: 'delete' },
    scopes: {
      'content:read': 'read everything you saved, with your notes',
      'content:write': 'save, change and delete items',
      'search:read': 'search in what you saved',
      'actions:read': 'see your action items',
      'actions:write': 'complete and change action items',
      'goals:read': 'see your goals',
      'goals:write': 'add and change goals',
    },
  },
  transfer: {
    drop: 'Drop files here, or choose them',
    counts: ({ taken, merged, skipped, failed }: Record<'taken' | 'merged' | 'skipped' | 'failed', number>): string =>
      [
        `${number(taken)} taken`,
        merged > 0 ? `${number(merged)} merged with what was there` : '',
        skipped > 0 ? `${number(skipped)} skipped` : '',
        failed > 0 ? `${number(failed)} failed` : '',
      ]
        .filter((part) => part !== '')
        .join(', '),
    states: {
      waiting: 'Waiting',
      running: 'Running',
      done: 'Done',
      failed: 'Failed',
      cancelled: 'Cancelled',
      interrupted: 'Interrupted: the server ended meanwhile',
    },
    formats: {
      archive: 'everything, as an archive (ZIP)',
      netscape: 'bookmarks (HTML)',
      csv: 'a table (CSV)',
      jsonl: 'JSON, a line for each item',
      opml: 'feeds (OPML)',
      ics: 'to do, for calendars (iCalendar)',
      todoist: 'to do, for Todoist (CSV)',
    },
    download: (bytes: number): string => `Download (${size(bytes)})`,
  },
  palette: {
    title: 'Go somewhere, do something, find something',
  },
  keys: {
    all: [
      { keys: ['/'], does: 'search' },
      { keys: ['Ctrl k', '⌘ k'], does: 'all commands: go, do, search, filter' },
      { keys: ['j', '↓'], does: 'the next item, or paragraph' },
      { keys: ['k', '↑'], does: 'the item before' },
      { keys: ['Enter'], does: 'open it' },
      { keys: ['h'], does: 'highlight the paragraph or what is selected; again: its note and colour' },
      { keys: ['Delete'], does: 'remove its highlight' },
      { keys: ['L'], does: 'read the text aloud, pause, go on' },
      { keys: ['g', 'i'], does: 'the inbox', isSequence: true },
      { keys: ['g', 'l'], does: 'everything', isSequence: true },
      { keys: ['g', 't'], does: 'what is to do', isSequence: true },
      { keys: ['g', 's'], does: 'save something', isSequence: true },
      { keys: ['a'], does: 'in To do: add something' },
      { keys: ['u'], does: 'back to the library' },
      { keys: ['z'], does: 'undo what was just done' },
      { keys: ['Esc'], does: 'leave a field, or close this' },
      { keys: ['?'], does: 'these keys' },
    ],
    choosing: [
      { keys: ['m'], does: 'its menu' },
      { keys: ['Shift j', 'Shift k'], does: 'choose the next, the one before as well' },
    ],
    /** What a key is called, where it is not its letter. */
    names: { C: 'Shift c', E: 'Shift e', R: 'Shift r' } as Readonly<Record<string, string>>,
  },
  items: {
    /** What can be done with an item. */
    actions: {
      archive: 'Archive',
      later: 'Keep for later',
      inbox: 'Move to the inbox',
      read: 'Mark as read',
      unread: 'Mark as unread',
      lists: 'Lists',
      proposed: 'Take the proposed tags',
      up: 'Move up in the list',
      down: 'Move down in the list',
      select: 'Select, for several at once',
      title: 'Rename',
      tags: 'Tags',
      note: 'Note',
      todo: 'Add something to do',
      retry: 'Try again',
      refresh: 'Fetch the page anew',
      versions: 'Earlier texts',
      link: 'Copy link',
      markdown: 'Copy as Markdown',
      related: 'Related items',
      history: 'History',
      remove: 'Delete',
    },
    moved: { inbox: 'Moved to the inbox.', later: 'Kept for later.', archive: 'Archived.' },
    chosen: (count: number): string => `${counted(count, 'item')} chosen`,
    fields: { title: 'Title', notes: 'Your notes', tags: 'Tags' },
    changed: { title: 'Title changed.', notes: 'Note kept.' },
    removed: (count: number): string =>
      count === 1
        ? 'Deleted. It can be restored for 30 days.'
        : `${number(count)} deleted. They can be restored for 30 days.`,
    refreshed: 'The page is fetched anew. The text stays until it has changed.',
  },
  lists: {
    keepSearch: 'Keep this search as a list',
  },
  sources: {
    kinds: { feed: 'Feed', pages: 'Pages fetched anew', folder: 'Folder', mailbox: 'Letters' },
    states: { active: '', paused: 'paused', gone: 'gone' },
    nowStates: { paused: 'Paused.', active: 'It goes on, and is checked now.' },
    every: rhythmWords,
    takes: { everything: 'Everything', headlines: 'Headlines, until I open one' },
  },
  history: {
    by: (face: ChangeFace, by: string | null): string => {
      const names = {
        mcp: 'by an assistant',
        rest: 'by a program',
        cli: 'on the command line',
        page: 'in a browser',
        feed: 'by a feed',
        pages: 'by fetching the page anew',
        folder: 'by a folder',
        mailbox: 'by a mailbox',
        vault: 'in a vault',
      };
      if (by === null || face === 'cli') return names[face];
      return face === 'page' ? `in ${by}` : `${names[face]} (${by})`;
    },
    operations: {
      save_content: 'Saved',
      add_note: 'Note written',
      import: 'Imported',
      update_content: 'Changed',
      update_contents: 'Changed',
      edit_item: 'Changed',
      delete_content: 'Deleted',
      delete_items: 'Deleted',
      restore_content: 'Restored',
      rename_tag: 'Tag renamed',
      submit_analysis: 'Summarised by an assistant',
      add_highlight: 'Highlighted',
      update_highlight: 'Highlight changed',
      delete_highlight: 'Highlight removed',
      add_action: 'Added to do',
      update_action: 'Changed in to do',
      complete_action: 'Done',
      add_goal: 'Goal added',
      update_goal: 'Goal changed',
      add_list: 'List made',
      update_list: 'List changed',
      change_list: 'List changed',
      put_in_list: 'Put into a list',
      take_from_list: 'Taken out of a list',
      delete_list: 'List deleted',
      undo: 'Undone',
      follow: 'Followed',
      update_source: 'Source changed',
      delete_source: 'Source removed',
      check_source: 'New from a source',
      open_source_entry: 'Saved from a source',
      refresh_content: 'Fetched anew',
      edit_in_vault: 'Changed in a vault',
    } as Readonly<Record<string, string>>,
    /** Fields whose values are shown. */
    fields: {
      shelf: 'Kept in',
      readAt: 'Read',
      title: 'Title',
      notes: 'Note',
      tags: 'Tags',
      url: 'Address',
      summary: 'Summary',
      state: 'State',
      due: 'Due',
      priority: 'Priority',
      snoozedUntil: 'Snoozed until',
      category: 'Part of life',
      description: 'Description',
      quote: 'Words',
      note: 'Note',
      colour: 'Colour',
    } as Readonly<Record<string, string>>,
    value: (value: string | number | boolean | string[] | null): string => {
      const words = value === null ? '' : Array.isArray(value) ? value.join(', ') : String(value);
      return words.length > 200 ? `${words.slice(0, 199)}…` : words;
    },
  },
  todo: {
    orders: { goal: 'By goal', item: 'By item', day: 'By day', priority: 'By priority' },
    priorities: { high: 'High', normal: 'Normal', low: 'Low' },
    priorityOf: { high: 'high priority', normal: '', low: 'low priority' },
    states: { open: 'Open', snoozed: 'Snoozed', done: 'Done', dismissed: 'Dismissed' },
    nothing: {
      open: 'Nothing waits for you.',
      snoozed: 'Nothing is snoozed.',
      done: 'Nothing is done yet.',
      dismissed: 'Nothing was dismissed.',
    },
  },
  goals: {
    categories: { Health: 'Health', Wealth: 'Wealth', Relationships: 'Relationships' },
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
