import { Tokenizer } from 'htmlparser2';

export type Attributes = Readonly<Record<string, string>>;

export interface TokenHandler {
  /** Names are lower case. If an attribute occurs twice, the first one counts. */
  open?(name: string, attributes: Attributes, place: TagPlace): void;
  close?(name: string, place: TagPlace): void;
  /** A piece of text with entities decoded. The contents of scripts and styles are passed as text too. */
  text?(text: string): void;
}

/** Position of a tag in the page: from its `<` to just after its `>`. */
export interface TagPlace {
  start: number;
  end: number;
}

/** More attributes than any legitimate element has. Further ones are ignored. */
const maxAttributes = 200;

/**
 * Reads HTML as a stream of tokens, in time linear in its length whatever it contains. Uses only htmlparser2's
 * tokenizer: the stack of open elements in its parser makes deep nesting quadratic.
 */
export function readTokens(html: string, handler: TokenHandler): void {
  let name = '';
  let attributes: Record<string, string> = {};
  let count = 0;
  let attributeName = '';
  let attributeValue = '';
  let tagStart = 0;
  const opened = (end: number): void => {
    handler.open?.(name, attributes, { start: tagStart, end: end + 1 });
    attributes = {};
    count = 0;
  };
  const tokenizer = new Tokenizer(
    { decodeEntities: true },
    {
      onopentagname(start, end) {
        name = html.slice(start, end).toLowerCase();
        tagStart = start - 1;
      },
      onattribname(start, end) {
        attributeName = html.slice(start, end).toLowerCase();
        attributeValue = '';
      },
      onattribdata(start, end) {
        attributeValue += html.slice(start, end);
      },
      onattribentity(codepoint) {
        attributeValue += String.fromCodePoint(codepoint);
      },
      onattribend() {
        if (count >= maxAttributes || Object.hasOwn(attributes, attributeName) || attributeName === '__proto__') return;
        attributes[attributeName] = attributeValue;
        count += 1;
      },
      onopentagend: opened,
      onselfclosingtag: opened,
      onclosetag(start, end) {
        const closing = html.indexOf('>', end);
        const place = { start: start - 2, end: closing === -1 ? html.length : closing + 1 };
        handler.close?.(html.slice(start, end).toLowerCase(), place);
      },
      ontext(start, end) {
        handler.text?.(html.slice(start, end));
      },
      ontextentity(codepoint) {
        handler.text?.(String.fromCodePoint(codepoint));
      },
      oncdata(start, end, offset) {
        handler.text?.(html.slice(start, end - offset));
      },
      oncomment: ignore,
      ondeclaration: ignore,
      onprocessinginstruction: ignore,
      onend: ignore,
    },
  );
  tokenizer.write(html);
  tokenizer.end();
}

function ignore(): void {
  // Comments, doctypes and processing instructions are not text.
}

/** Void elements: they have no content and no end tag. */
export const voids: ReadonlySet<string> = new Set(
  'area base br col embed hr img input link meta param source track wbr basefont frame keygen'.split(' '),
);
const closesParagraph = new Set(
  (
    'address article aside blockquote center details dialog div dl fieldset figcaption figure footer form h1 h2 h3 h4 ' +
    'h5 h6 header hr main menu nav ol p pre section table ul'
  ).split(' '),
);
/** By opening tag: the elements that it closes implicitly if one of them is the innermost open element. */
const siblings = new Map<string, readonly string[]>([
  ['li', ['li']],
  ['dt', ['dt', 'dd']],
  ['dd', ['dt', 'dd']],
  ['tr', ['td', 'th', 'tr']],
  ['td', ['td', 'th']],
  ['th', ['td', 'th']],
  ['option', ['option']],
  ['optgroup', ['option', 'optgroup']],
]);

/** The stack of open elements, with constant time per tag. `data` is whatever the caller attaches to an element. */
export class OpenElements<T> {
  #open: { name: string; data: T }[] = [];
  #counts = new Map<string, number>();
  readonly #closed: (data: T) => void;

  constructor(closed: (data: T) => void) {
    this.#closed = closed;
  }

  get depth(): number {
    return this.#open.length;
  }

  isOpen(name: string): boolean {
    return (this.#counts.get(name) ?? 0) > 0;
  }

  /** Closes the elements that the tag closes implicitly, then opens the element. Void elements are closed at once. */
  push(name: string, data: T): void {
    for (let ended = this.#endedBy(name); ended; ended = this.#endedBy(name)) this.#pop();
    if (voids.has(name)) return this.#closed(data);
    this.#open.push({ name, data });
    this.#counts.set(name, (this.#counts.get(name) ?? 0) + 1);
  }

  /** Closes the innermost open element of this name and everything inside it. Does nothing if none is open. */
  close(name: string): void {
    if (!this.isOpen(name)) return;
    let closed;
    do closed = this.#pop();
    while (closed !== name && closed !== undefined);
  }

  closeAll(): void {
    while (this.#pop() !== undefined);
  }

  #endedBy(name: string): boolean {
    const top = this.#open.at(-1)?.name;
    if (top === undefined) return false;
    return (top === 'p' && closesParagraph.has(name)) || (siblings.get(name)?.includes(top) ?? false);
  }

  #pop(): string | undefined {
    const last = this.#open.pop();
    if (last === undefined) return undefined;
    this.#counts.set(last.name, (this.#counts.get(last.name) ?? 1) - 1);
    this.#closed(last.data);
    return last.name;
  }
}
