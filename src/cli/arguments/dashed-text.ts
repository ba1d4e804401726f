import { Command, type ParseOptionsResult } from 'commander';

/** What options look like: `-h`, `--tag`, `--tag=bread`, and mistyped ones. */
const option = /^--?[a-z][\w-]*(?:=|$)/i;
/** `-custard`, `-"rice pudding"`: a minus and a word. `-h` is help, and `-5` is a number. */
const excludedWord = /^-["“„«]?\p{L}[\p{L}\p{N}]/u;
/** No argument of a process holds this character. */
const mark = '\0';

/**
 * A command that takes arguments such as `- [ ] water the plants` as text. Commander takes everything that begins with
 * a dash for an option. `search` leaves out results with an excluded word, as in every interface: `-custard`.
 */
export class CommandWithText extends Command {
  override createCommand(name?: string): Command {
    return new CommandWithText(name);
  }

  override parseOptions(argv: string[]): ParseOptionsResult {
    const end = argv.includes('--') ? argv.indexOf('--') : argv.length;
    const isText = (word: string) =>
      word.length > 1 &&
      word.startsWith('-') &&
      (!option.test(word) || (this.name() === 'search' && excludedWord.test(word)));
    // Commander takes the value of an option, whatever it looks like.
    const isValue = (at: number) =>
      this.options.some(
        ({ required, optional, short, long }) => (required || optional) && [short, long].includes(argv[at - 1] ?? ''),
      );
    const marked = argv.map((word, at) => (at < end && isText(word) && !isValue(at) ? mark + word : word));
    const { operands, unknown } = super.parseOptions(marked);
    const bare = (words: string[]) => words.map((word) => (word.startsWith(mark) ? word.slice(1) : word));
    return { operands: bare(operands), unknown: bare(unknown) };
  }
}
