import { elementsIn, type DomNode, type DomDocument } from '../html/dom-node.ts';
import { proseElement, proseIn } from './preformatted-prose.ts';

/* Sites build the lines of `<pre>` from elements without line breaks in the text. */

const lineElements = new Set(
  'ADDRESS ARTICLE BLOCKQUOTE DD DIV DL DT FIGURE LI OL P SECTION TABLE TBODY TR UL'.split(' '),
);
const silent = new Set(['SCRIPT', 'STYLE', 'BUTTON', 'TEMPLATE', 'SELECT']);
const lineClass = /(?:^|[\s_-])(?:line|row)(?:$|[\s_-])/i;
const numberClass = /(?:^|[\s_-])(?:line-?num(?:ber)?s?|lineno|linenos|ln|gutter)(?:$|[\s_-])/i;
const ownLine = /display\s*:\s*(?:block|grid|flex)/i;

/** The code of a `<pre>` with the line breaks that a browser shows. */
export function codeText(pre: DomNode): string {
  return readCode(pre).text;
}

/** `hasLines`: whether elements break its lines. */
function readCode(pre: DomNode): { text: string; hasLines: boolean } {
  const whole = pre.textContent ?? '';
  // Spans are separate lines only where nothing else breaks the lines.
  const spans = whole.includes('\n') ? new Set<DomNode>() : spanLines(pre);
  const parts: string[] = [];
  let atLineStart = true;
  const write = (text: string): void => {
    if (text === '') return;
    parts.push(text);
    atLineStart = text.endsWith('\n');
  };
  /** Writes a node. Returns whether it contains lines. */
  const visit = (node: DomNode): boolean => {
    if (node.nodeType === 3) {
      const text = node.data ?? '';
      if (text.trim() !== '' || !isBetweenLines(node)) write(text);
      else write('\n'.repeat(Math.max(0, text.split('\n').length - 2)));
      return false;
    }
    if (node.nodeType !== 1 || silent.has(node.nodeName) || isLineNumber(node)) return false;
    if (node.nodeName === 'BR') {
      // A line break in the source after it is part of the same break.
      const next = node.nextSibling;
      if (next?.nodeType !== 3 || next.data?.startsWith('\n') !== true) write('\n');
      return true;
    }
    const isLine = isLineElement(node) || spans.has(node);
    if (isLine && !atLineStart) write('\n');
    const before = parts.length;
    let holdsLines = false;
    for (let child = node.firstChild; child !== null; child = child.nextSibling) if (visit(child)) holdsLines = true;
    if (isLine && (!atLineStart || (!holdsLines && parts.length === before))) write('\n');
    return isLine || holdsLines;
  };
  let hasLines = false;
  for (let child = pre.firstChild; child !== null; child = child.nextSibling) if (visit(child)) hasLines = true;
  return { text: parts.join(''), hasLines };
}

function isLineElement(node: DomNode | null): boolean {
  return node?.nodeType === 1 && (lineElements.has(node.nodeName) || ownLine.test(node.getAttribute('style') ?? ''));
}

/** Whether a text between two lines only formats the source. */
function isBetweenLines(text: DomNode): boolean {
  return isLineElement(text.previousSibling) || isLineElement(text.nextSibling);
}

function isLineNumber(node: DomNode): boolean {
  return numberClass.test(node.getAttribute('class') ?? '') && /^[\s\d]*$/.test(node.textContent ?? '');
}

/** The spans that are lines by their class, and `code` elements that follow each other. */
function spanLines(pre: DomNode): Set<DomNode> {
  const found = new Set<DomNode>();
  const visit = (node: DomNode): void => {
    for (let child = node.firstChild; child !== null; child = child.nextSibling) {
      if (child.nodeType !== 1) continue;
      const isCode =
        child.nodeName === 'CODE' &&
        [child.previousElementSibling, child.nextElementSibling].some((node) => node?.nodeName === 'CODE');
      if (isCode || (child.nodeName === 'SPAN' && lineClass.test(child.getAttribute('class') ?? ''))) found.add(child);
      else visit(child);
    }
  };
  visit(pre);
  return found;
}

/** Where the code editors CodeMirror, Monaco and Ace, and GitHub's pages of files, keep the lines that they show, and the lines. */
const editors =
  '.cm-content, .CodeMirror-code, .view-lines, .ace_text-layer, .js-file-line-container, .react-code-lines';
const editorLines = '.cm-line, .CodeMirror-line, .view-line, .ace_line, .js-file-line, .react-file-line';
/** The element of the whole editor, with its gutter and text-measuring elements. */
const wholeEditor = '.cm-editor, .CodeMirror, .monaco-editor, .ace_editor';

function isWithin(node: DomNode, selector: string): boolean {
  return (node.parentNode?.closest(selector) ?? null) !== null;
}

function flattenEditor(document: DomDocument, editor: DomNode): void {
  // A page may nest them, and the text of each line would then be read once for every line around it.
  const lines = [...editor.querySelectorAll(editorLines)].filter((line) => !isWithin(line, editorLines));
  if (lines.length === 0) return;
  // Monaco places its lines one by one, in any order.
  const top = (line: DomNode): number =>
    Number(/top:\s?([\d.]{1,12})px/.exec(line.getAttribute('style') ?? '')?.[1] ?? 0);
  const pre = document.createElement('pre');
  pre.append(
    lines
      .toSorted((a, b) => top(a) - top(b))
      .map((line) => (line.textContent ?? '').replaceAll('\u00a0', ' ').replaceAll('\u200b', ''))
      .join('\n'),
  );
  const whole = editor.closest(wholeEditor) ?? editor;
  const language = [editor, whole]
    .map((one) => one.getAttribute('data-language') ?? one.getAttribute('data-mode-id'))
    .find(Boolean);
  if (language) pre.setAttribute('data-lang', language);
  whole.replaceWith(pre);
}

/**
 * Puts the code of every `<pre>` into one text with its line breaks, and its language into `data-lang`, before anything judges or
 * removes parts of the page. A label above the code becomes its language. A `<pre>` of prose becomes paragraphs.
 */
export function flattenCodeBlocks(document: DomDocument): void {
  for (const editor of elementsIn(document, editors)) if (!isWithin(editor, editors)) flattenEditor(document, editor);
  const all = elementsIn(document, 'pre').filter((pre) => {
    const isNumbers = isColumnOfNumbers(pre);
    if (isNumbers) pre.remove();
    return !isNumbers;
  });
  // A `<pre>` inside another is read with the outer one.
  for (const pre of all.filter((one) => !isWithin(one, 'pre'))) {
    const language = codeLanguage(pre) || takeLabel(pre);
    const { textContent } = pre;
    const { text, hasLines } = readCode(pre);
    const prose = language === '' ? proseIn(pre, text) : null;
    if (prose !== null) {
      pre.replaceWith(proseElement(document, prose));
      continue;
    }
    // Empty lines would be removed as empty elements.
    if (hasLines || text !== textContent) pre.textContent = text;
    // The class stays as it was: blocks are judged by it.
    if (language !== '') pre.setAttribute('data-lang', language);
  }
}

/** Whether a `<pre>` in a table holds only the numbers of the lines of the code beside it. */
function isColumnOfNumbers(pre: DomNode): boolean {
  const text = pre.textContent ?? '';
  if (!/^\s*\d{1,6}\s/.test(text) || !isWithin(pre, 'td')) return false;
  const numbers = text.trim().split(/\s+/);
  const first = Number(numbers[0]);
  return numbers.length > 1 && numbers.every((number, i) => number === String(first + i));
}

const aliases = new Map([
  ...Object.entries({
    'c++': 'cpp',
    'c#': 'csharp',
    'f#': 'fsharp',
    'objective-c': 'objectivec',
    'visual basic': 'vb',
  }),
  ['shell script', 'shell'],
  // Names that say nothing.
  ...'plain text,text,txt,plain,plaintext,none,nohighlight,auto,undefined,default,output'
    .split(',')
    .map((name): [string, string] => [name, '']),
]);
const known = new Set(
  (
    'abap ada apache applescript arduino armasm asm assembly awk bash basic bat batch c clojure cmake cmd cobol coffeescript cpp csharp cs ' +
    'css csv cuda cython d dart delphi diff django docker dockerfile dos elixir elm erb erlang excel fortran fsharp gherkin git glsl go golang ' +
    'gradle graphql groovy haml handlebars haskell hcl hlsl html http ini java javascript jinja js json json5 jsonc jsp jsx julia kotlin ' +
    'latex less lisp lua makefile markdown matlab md mermaid mysql nginx nim nix objc objectivec ocaml octave pascal perl pgsql php ' +
    'postgresql powershell prolog properties protobuf proto ps1 puppet py python python3 pycon qml r rb react rst ruby rust rs sas sass scala scheme ' +
    'scss sh shell shell-session console smalltalk solidity sparql sql stylus svelte swift tcl terraform tex thrift toml ts tsx twig ' +
    'typescript vb vbnet verilog vhdl vim vue wasm xml xquery yaml yml zig zsh'
  ).split(' '),
);

/** A code language in the spelling of fences; empty if it is none, or says nothing. */
function named(name: string | undefined, isCertain: boolean): string {
  const lower = (name ?? '').toLowerCase();
  const language = aliases.get(lower) ?? lower;
  return isCertain || known.has(language) ? language : '';
}

/** How many elements above a `<pre>` are asked for its language. The table that puts line numbers beside it does not count. */
const maxAbove = 3;
const tableParts = new Set(['TABLE', 'TBODY', 'TR', 'TD']);
/** How many elements in it, each the first of the other: `<pre><pre><code>`. */
const maxWithin = 2;
const prefixed = /(?:^|\s)(?:language|lang|highlight-source|highlight|code|sourceCode)-([\w+#.-]{1,30})/gi;
const brush = /(?:^|\s)(?:brush|lang):\s*([\w+#-]{1,30})/i;

/** The language of a `<pre>` by the attributes and classes of itself, the code in it, and the elements around it. */
export function codeLanguage(pre: DomNode): string {
  const own: DomNode[] = [pre];
  for (let inner = firstElement(pre); inner !== null && own.length <= maxWithin; inner = firstElement(inner))
    own.push(inner);
  const above: DomNode[] = [];
  for (let at = pre.parentNode; at?.nodeType === 1 && above.length < maxAbove; at = at.parentNode)
    if (!tableParts.has(at.nodeName)) above.push(at);
  for (const [nodes, isOwn] of [
    [own, true],
    [above, false],
  ] as const) {
    for (const node of nodes) {
      const language = languageOf(node, isOwn);
      if (language !== null) return language;
    }
  }
  return '';
}

/** The language that an element names; null if it names none. */
function languageOf(node: DomNode, isOwn: boolean): string | null {
  const attribute = (name: string): string => (node.getAttribute(name) ?? '').trim();
  for (const name of ['data-lang', 'data-language', 'data-enlighter-language', 'data-code-language']) {
    if (/^[\w+#.-]{1,30}$/.test(attribute(name))) return named(attribute(name), isOwn);
  }
  const classes = attribute('class').slice(0, 300);
  for (const [, name] of classes.matchAll(prefixed)) {
    const isCertain = isOwn && /(?:^|\s)lang(?:uage)?-/i.test(classes);
    const language = named(name, isCertain);
    if (language !== '' || aliases.get((name ?? '').toLowerCase()) === '') return language;
  }
  const brushed = brush.exec(`${classes} ${attribute('data-syntaxhighlighter-params').slice(0, 300)}`)?.[1];
  if (brushed !== undefined) return named(brushed, isOwn);
  // `<pre lang="go">`, as GitHub writes. On other elements the attribute means a human language.
  if (isOwn && known.has(attribute('lang').toLowerCase()) && attribute('lang').length > 2)
    return attribute('lang').toLowerCase();
  const isHighlighter = isOwn && /(?:^|\s)(?:hljs|sourceCode|highlight|prettyprint|code|shiki)(?:\s|$)/.test(classes);
  const plain = isHighlighter
    ? classes.split(/\s+/).find((name) => name.length > 1 && name !== 'highlight' && known.has(name.toLowerCase()))
    : undefined;
  return plain === undefined ? null : plain.toLowerCase();
}

function firstElement(node: DomNode): DomNode | null {
  let child = node.firstChild;
  while (child !== null && child.nodeType !== 1) child = child.nextSibling;
  return child;
}

/** In characters. A longer text above the code is no label. */
const maxLabelLength = 30;

/** Removes the label directly above the code, alone or with a copy button. */
function takeLabel(pre: DomNode): string {
  let at: DomNode | null = pre;
  for (let level = 0; level < maxAbove && at !== null; level += 1, at = at.parentNode) {
    const above: DomNode | null = at.previousElementSibling;
    if (above === null) continue;
    const text = shortText(above)?.trim();
    if (text === '') continue;
    const label = (text ?? '')
      .replace(/copy(?: code)?$/i, '')
      .trim()
      .toLowerCase();
    const language = /^(?:H[1-6]|PRE|TABLE)$/.test(above.nodeName) ? '' : named(label, false);
    if (language !== '') above.remove();
    return language;
  }
  return '';
}

const maxLabelNodes = 40;

/** The text of a small element; null for a larger one, of which only the beginning is read. */
function shortText(element: DomNode): string | null {
  let text = '';
  let nodes = 0;
  const queue: DomNode[] = [element];
  for (let node = queue.pop(); node !== undefined; node = queue.pop()) {
    nodes += 1;
    if (node.nodeType === 3) text += node.data ?? '';
    if (nodes > maxLabelNodes || text.length > maxLabelLength * 4 || text.trim().length > maxLabelLength) return null;
    const children: DomNode[] = [];
    for (let child = node.firstChild; child !== null && children.length <= maxLabelNodes; child = child.nextSibling)
      children.push(child);
    queue.push(...children.toReversed());
  }
  return text;
}
