import type { QueryTerm } from '../../../../domain/search/index-terms.ts';
import { reversedMark } from '../../../../domain/search/spellings.ts';
import type { SqliteFile } from '../../files/sqlite-file.ts';
import { type Narrowing, narrowingOf } from '../narrowing.ts';
import { stemOf } from '../../../../domain/text/words/porter.ts';
import { foldedWord } from '../../../../domain/text/words/words.ts';

/** The passages that have a term, by ascending id. */
export interface Postings {
  readonly ids: Float64Array;
  /** How often each passage has the term, at most 255 times; an occurrence in the title counts twice. */
  readonly frequencies: Uint8ClampedArray;
}

const noPostings: Postings = { ids: new Float64Array(0), frequencies: new Uint8ClampedArray(0) };

const titleWeight = 2;

/** Postings that are cached for each account file, 9 bytes each. */
const maxKept = 500_000;
const maxCounts = 20_000;
/** Above so many passages, the sum over the forms of a word is near enough to the number that have any of them. */
const longList = 30_000;
/** Of words in more passages, phrases are not looked for. */
const maxOfPhrase = 20_000;
/** Greater than any character of a word. */
const last = '\u{10ffff}';

/** The words of an account as FTS5 tells them (`fts5vocab`). Use only within one transaction. */
export function fullTextOf(file: SqliteFile): FullText {
  // A transaction that is rolled back takes these tables with it. Making them again each time would cost more.
  if (file.get(`SELECT 1 FROM temp.sqlite_schema WHERE name = 'word_instance'`) === undefined)
    for (const kind of ['row', 'instance'])
      file.run(
        `CREATE VIRTUAL TABLE IF NOT EXISTS temp.word_${kind} USING fts5vocab('main', 'passage_words', '${kind}')`,
      );
  const whole = file.remember('full text', () => new FullText(file));
  const narrowing = narrowingOf(file);
  if (narrowing === undefined) return whole;
  const known = narrowed.get(narrowing) ?? new NarrowedFullText(file, whole, narrowing);
  narrowed.set(narrowing, known);
  return known;
}

const narrowed = new WeakMap<Narrowing, FullText>();

/** A term is looked up once and answers every question about it until somebody writes. */
export class FullText {
  readonly #file: SqliteFile;
  readonly #tokens = new Map<string, string>();
  readonly #kept = new Map<string, Postings>();
  #count = 0;
  readonly #counts = new Map<string, number>();
  #hasCompounds: boolean | undefined;

  constructor(file: SqliteFile) {
    this.#file = file;
  }

  /** The passages with a word in any of its forms. */
  find(term: QueryTerm): Postings {
    const { phrases = [], within = [] } = term;
    const tokens = this.#tokensOf(term);
    const whole = () => united(tokens.map((token) => this.findToken(token, term.isPrefix)));
    if (phrases.length === 0 && within.length === 0) return whole();
    // The literal form counts twice, so that it ranks first.
    return this.#keeping([...tokens, phrases.join('+'), within].join(' '), () =>
      united([whole(), whole(), ...phrases.map((phrase) => once(this.findPhrase(phrase))), once([...within])]),
    );
  }

  count(term: QueryTerm): number {
    if (term.isPrefix || term.phrases !== undefined || term.within !== undefined) return this.find(term).ids.length;
    this.countAll([term]);
    const tokens = this.#tokensOf(term);
    const counts = tokens.map((token) => this.#counts.get(token) ?? 0).filter((passages) => passages > 0);
    const sum = counts.reduce((all, passages) => all + passages, 0);
    const isSum = sum >= longList || (counts.length <= 1 && !tokens.some(isSeveral));
    return isSum ? sum : this.find(term).ids.length;
  }

  /** The passages that have these words in a row; none where that takes too long to find. */
  findPhrase(words: readonly string[]): number[] {
    // Mostly one of the words is in no passage. The longest is the rarest.
    const longestFirst = words.toSorted((a, b) => b.length - a.length);
    const areFew = longestFirst.every((word) => {
      const passages = this.count({ text: word, isPrefix: false });
      return passages > 0 && passages <= maxOfPhrase;
    });
    return areFew ? this.matching(`"${words.join(' ')}"`) : [];
  }

  /** Whether a passage may have both words. Only words that have been looked up before are compared. */
  mayMeet(first: QueryTerm, second: QueryTerm): boolean {
    const lists = [first, second].map((term) => this.#tokensOf(term).map((token) => this.#kept.get(token)));
    if (lists.some((list) => list.includes(undefined))) return true;
    const [few, many] = lists
      .map((list) => united(list.flatMap((postings) => postings ?? [])).ids)
      .sort((a, b) => a.length - b.length);
    return few?.some((id) => has(many ?? few, id)) ?? true;
  }

  /** The result of an FTS5 expression. */
  matching(expression: string): number[] {
    return this.#list('SELECT group_concat(rowid) AS list FROM passage_words WHERE passage_words MATCH ?', expression);
  }

  /** Looks up together how many passages have each word: that takes a third of the time. */
  countAll(terms: readonly QueryTerm[]): void {
    const asked = terms.flatMap((term) => this.#tokensOf(term)).filter((token) => !this.#counts.has(token));
    if (asked.length === 0) return;
    const rows = this.#file.all<{ term: string; doc: number }>(
      'SELECT term, doc FROM temp.word_row WHERE term IN (SELECT value FROM json_each(?))',
      JSON.stringify(asked),
    );
    if (this.#counts.size > maxCounts) this.#counts.clear();
    for (const token of asked) this.#counts.set(token, 0);
    for (const { term, doc } of rows) this.#counts.set(term, doc);
  }

  /** The passages with a word in the form of the index, or with all words that begin so. */
  findToken(token: string, isPrefix = false): Postings {
    if (isSeveral(token)) return once(this.matching(`"${token}"${isPrefix ? '*' : ''}`));
    if (!isPrefix) return this.#keeping(token, () => postingsAt(this.#placesWhere('term = ?', token)));
    return this.#keeping(`${token}*`, () => {
      const places = this.#placesWhere('term >= ? AND term <= ?', token, token + last);
      return postingsAt(places.sort((a, b) => Math.abs(a) - Math.abs(b)));
    });
  }

  /** The words with this prefix, in the form of the index and separated by spaces; null where there are too many. */
  wordsBeginning(beginning: string, maxWords = 1_000_000): string | null {
    const row = this.#file.get<{ words: string | null; count: number }>(
      `SELECT group_concat(term, ' ') AS words, count(*) AS count
       FROM (SELECT term FROM temp.word_row WHERE term >= ? AND term <= ? LIMIT ?)`,
      beginning,
      beginning + last,
      maxWords + 1,
    );
    return (row?.count ?? 0) > maxWords ? null : (row?.words ?? '');
  }

  /** Whether any passage has compounds by their ends. */
  hasCompounds(): boolean {
    return (this.#hasCompounds ??= this.wordsBeginning(reversedMark, 0) === null);
  }

  #tokensOf({ text, forms = [] }: QueryTerm): string[] {
    const tokens = new Set([text, ...forms].map((form) => this.#tokenOf(form)));
    tokens.delete('');
    return [...tokens];
  }

  #tokenOf(word: string): string {
    const token = this.#tokens.get(word) ?? tokenOf(this.#file, word);
    if (this.#tokens.size > maxCounts) this.#tokens.clear();
    this.#tokens.set(word, token);
    return token;
  }

  /** The ids of the passages, once per occurrence; those of occurrences in titles are negative. */
  #placesWhere(condition: string, ...parameters: string[]): number[] {
    return this.#list(
      `SELECT group_concat(iif(col = 'title', -doc, doc)) AS list FROM temp.word_instance WHERE ${condition}`,
      ...parameters,
    );
  }

  #list(sql: string, ...parameters: string[]): number[] {
    const list = this.#file.get<{ list: string | null }>(sql, ...parameters)?.list ?? '';
    return JSON.parse(`[${list}]`) as number[];
  }

  #keeping(key: string, read: () => Postings): Postings {
    const known = this.#kept.get(key);
    if (known !== undefined) return known;
    const found = read();
    if (found.ids.length > maxKept) return found;
    this.#count += found.ids.length;
    if (this.#count > maxKept) {
      this.#kept.clear();
      this.#count = found.ids.length;
    }
    this.#kept.set(key, found);
    return found;
  }
}

/** The words of some items: a word that only others have is in no passage. */
class NarrowedFullText extends FullText {
  readonly #whole: FullText;
  readonly #passages: Narrowing['passages'];

  constructor(file: SqliteFile, whole: FullText, { passages }: Narrowing) {
    super(file);
    this.#whole = whole;
    this.#passages = passages;
  }

  override count(term: QueryTerm): number {
    return this.find(term).ids.length;
  }

  override countAll(): void {
    // Each word is counted by its passages.
  }

  override matching(expression: string): number[] {
    return this.#whole.matching(expression).filter((id) => this.#passages.has(id));
  }

  override findToken(token: string, isPrefix = false): Postings {
    const { ids, frequencies } = this.#whole.findToken(token, isPrefix);
    const kept = Uint32Array.from(ids.keys()).filter((at) => this.#passages.has(ids[at] ?? 0));
    return {
      ids: Float64Array.from(kept, (at) => ids[at] ?? 0),
      frequencies: Uint8ClampedArray.from(kept, (at) => frequencies[at] ?? 0),
    };
  }

  /** A long list of words is for corrections of spelling, which do without. */
  override wordsBeginning(beginning: string, maxWords?: number): string | null {
    if (maxWords === undefined) return '';
    const words = this.#whole.wordsBeginning(beginning, maxWords);
    return words === null
      ? null
      : words
          .split(' ')
          .filter((word) => this.findToken(word).ids.length > 0)
          .join(' ');
  }
}

/** The tokenizer takes some newer letters for separators. */
function isSeveral(token: string): boolean {
  return token.includes(' ');
}

/** @param places sorted ids, with those of titles negative */
function postingsAt(places: readonly number[]): Postings {
  const ids = new Float64Array(places.length);
  const frequencies = new Uint8ClampedArray(places.length);
  let count = 0;
  for (const place of places) {
    const id = Math.abs(place);
    if (ids[count - 1] !== id) {
      ids[count] = id;
      count += 1;
    }
    frequencies[count - 1] = (frequencies[count - 1] ?? 0) + (place < 0 ? titleWeight : 1);
  }
  return { ids: ids.slice(0, count), frequencies: frequencies.slice(0, count) };
}

/** @param ids ascending */
function has(ids: Float64Array, id: number): boolean {
  let [low, high] = [0, ids.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((ids[middle] ?? 0) < id) low = middle + 1;
    else high = middle;
  }
  return ids[low] === id;
}

/** Passages that have a term once. */
function once(ids: readonly number[]): Postings {
  return postingsAt(ids.toSorted((a, b) => a - b));
}

/** The passages that have any of several terms, with the sums of their frequencies. */
function united(lists: readonly Postings[]): Postings {
  const some = lists.filter(({ ids }) => ids.length > 0);
  if (some.length <= 1) return some[0] ?? noPostings;
  const sums = new Map<number, number>();
  for (const { ids, frequencies } of some)
    for (const [at, id] of ids.entries()) sums.set(id, (sums.get(id) ?? 0) + (frequencies[at] ?? 0));
  const ids = Float64Array.from(sums.keys()).sort();
  return { ids, frequencies: Uint8ClampedArray.from(ids, (id) => sums.get(id) ?? 0) };
}

/**
 * Letters that `foldedWord` and the index fold alike, perhaps behind the mark of words with hyphens. Nobody searches for
 * longer words on purpose.
 */
const plainWord = /^\u{e043}?[a-z0-9à-åç-ïñ-öù-ýÿ]{1,200}$/u;

/**
 * The term of the index that a lower-case word becomes. Empty when the index ignores its characters; several, separated
 * by spaces, when the index treats a newer letter as a separator.
 */
function tokenOf(file: SqliteFile, word: string): string {
  // A test compares `stemOf` with the index for plain words. About others, the index's own tokenizer is asked.
  if (plainWord.test(word)) return stemOf(foldedWord(word));
  return file.aside(() => {
    file.run(`CREATE VIRTUAL TABLE IF NOT EXISTS temp.asked_words USING fts5 (
      word, tokenize = "porter unicode61 remove_diacritics 2 categories 'L* N* Co Mn Mc'")`);
    file.run(`CREATE VIRTUAL TABLE IF NOT EXISTS temp.asked_tokens USING fts5vocab('temp', 'asked_words', 'instance')`);
    // Replaced rather than deleted afterwards: reading writes what is pending, so nothing is left to be written, and
    // counted as a change of the account, when the transaction ends.
    file.run('REPLACE INTO temp.asked_words (rowid, word) VALUES (1, ?)', word);
    const tokens = file.all<{ term: string | null }>('SELECT term FROM temp.asked_tokens ORDER BY offset');
    return tokens.map(({ term }) => term ?? '').join(' ');
  });
}
