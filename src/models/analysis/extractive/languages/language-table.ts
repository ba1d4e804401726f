/**
 * The analyst's knowledge of a language besides English: data alone. One engine (`instructions.ts`) reads all
 * tables, so a further language is one file and a line in `tables.ts`. Patterns are matched against at most 400
 * characters.
 */
export interface InstructionTable {
  /** Openings that stay in the title and may stand before an instruction: "bitte", "toujours", "no". */
  before: RegExp;
  /** Words that open a clause before the instruction's comma: "wenn", "si", "para". */
  opening: RegExp;
  /** Forms that only an imperative has at the beginning of a clause, of whatever verb: "Lüften Sie", "aérez". */
  imperative: RegExp | null;
  /** Imperatives that look like another form ("llama", "he calls"), each verb written out. */
  forms: ReadonlySet<string>;
  /** Words that may not follow one of `forms`: "cambia de color". */
  notAfterForm: RegExp;
  /** Constructions that tell what has to be done: "il faut", "hay que", "Sie sollten". */
  modal: RegExp;
  /** A clause in the infinitive that instructs, as in recipes: "Die Zwiebeln fein hacken." */
  infinitive: RegExp;
  /** Verbs of sellers, pages and programs, and of rhetoric: what they introduce is no task. */
  notTasks: RegExp;
  /** Words that show who is addressed or what about: customers, a menu, a page, laws. */
  notOurs: RegExp;
  /** A pronoun as the object, for which the sentence before is needed. */
  leaning: RegExp;
  /** A heading or the name of a page: capitals where the language has none. */
  headline?: RegExp;
  /** Text about the page instead of its subject; never an insight, nor an instruction. */
  boilerplate: RegExp;
  /** The most frequent words; they say nothing about a sentence's subject. English has its own. */
  stopWords?: ReadonlySet<string>;
  /** The plural of "step". */
  steps: string;
}

/** A language besides English, of which summaries need more than instructions do. */
export interface LanguageTable extends InstructionTable {
  /** First words that lean on the sentence before; such a sentence is no insight. */
  continues: RegExp;
  /** The most frequent words; they say nothing about a sentence's subject. */
  stopWords: ReadonlySet<string>;
}

/** The members of a list that is written with spaces between. */
export function list(words: string): ReadonlySet<string> {
  return new Set(words.trim().split(/\s+/));
}
