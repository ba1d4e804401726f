import { hex } from 'dingbat-to-unicode';
import { walkXml, escaped, bareName } from '../xml-elements.ts';
import {
  joinRuns,
  lengthOf,
  noteMark,
  picture,
  plainRun,
  type OfficeBlock,
  type OfficeParagraph,
  type OfficeRun,
  type RunFormat,
} from './document-html.ts';
import { isOn, valueOf, wholeNumber, type ParagraphFormat, type ParagraphProperties } from './numbering.ts';
import { mathMl, maxMathDepth, maxMathElements, type OfficeMath } from './office-math.ts';

export interface BodyContext {
  formatOf(properties: ParagraphProperties): ParagraphFormat;
  hiddenStyles: ReadonlySet<string>;
  links: ReadonlyMap<string, string>;
  /** Placeholder of a note reference until the notes are counted. */
  markOf(kind: NoteKind, id: string): string;
  diagram(id: string): readonly string[];
  progress(): void;
}

export type NoteKind = 'footnote' | 'endnote' | 'comment';

export interface OfficeNote {
  kind: NoteKind;
  id: string;
  author: string;
  blocks: OfficeBlock[];
}

export interface OfficeText {
  blocks: OfficeBlock[];
  notes: OfficeNote[];
  /** Characters of hidden text, which is left out. */
  hidden: number;
  isWhole: boolean;
}

interface OpenParagraph {
  properties: ParagraphProperties;
  isJoined: boolean;
  isDropCap: boolean;
  isTicked: boolean | null;
  /** Whether it is the content of a check box, which shows the box once more. */
  isBox: boolean;
  depth: number;
  runs: OfficeRun[];
  /** Blocks that hang on it, such as boxes of text. They come after it. */
  after: OfficeBlock[];
}

interface Field {
  code: string;
  isCode: boolean;
  href: string | null;
  box: boolean | null;
  choices: string[];
  chosen: number;
}

/** Elements whose text is not part of the document: deleted, moved away, the pronunciation of a word, older formats. */
const leftOut = new Set(
  'del moveFrom delText delInstrText rt pPrChange rPrChange sectPrChange tblPrChange trPrChange tcPrChange tblGridChange'
    .split(' ')
    .map((name) => `w:${name}`),
);
/** Elements that matter in a formula as they do outside. */
const alsoInMath = new Set('w:r m:r m:ctrlPr w:vanish w:rStyle w:sz'.split(' '));
/** Extensions of the format whose elements are read, or leave out nothing that has text. By their usual prefixes. */
const knownExtension = /^(?:wp[cgis]|wp1\d|w1\d\w*|cx\d?|am3d|a1\d\w*|asvg|aink|c1\d|[movw])$/;
/** An illegible font size, in half points. */
const maxInvisibleSize = 3;
/** A longer paragraph is not a heading, whatever its style. In characters. */
const maxHeadingLength = 400;

/** The XML namespaces of Word's elements, transitional and strict, and their short names here. */
const schemas: readonly [RegExp, string][] = [
  [/wordprocessingml\/(?:2006\/)?main$/, 'w'],
  [/officeDocument\/(?:2006\/)?math$/, 'm'],
  [/drawingml\/(?:2006\/)?main$/, 'a'],
];

type XmlAttributes = Readonly<Record<string, string>>;
/** Handlers of elements by name, with value, attributes, and the parent of the property. */
type Handlers<Owner> = Readonly<
  Record<string, (value: string | undefined, attributes: XmlAttributes, owner: Owner) => unknown>
>;

/** Reads a part of a Word document: its body, or its notes. One pass over the XML. */
export function readBody(xml: string, context: BodyContext): OfficeText {
  const text: OfficeText = { blocks: [], notes: [], hidden: 0, isWhole: true };
  const prefixes = new Map<string, string>();
  const sinks: OfficeBlock[][] = [text.blocks];
  const paragraphs: OpenParagraph[] = [];
  const rows: { rows: OfficeBlock[][][]; isDeleted: boolean }[] = [];
  const fields: Field[] = [];
  const links: string[] = [];
  const choices: boolean[] = [];
  const boxes: (boolean | null)[] = [];
  const spans: number[] = [];
  /** How deep the walk is inside elements that are left out. */
  let skipped = 0;
  let inProperties = 0;
  let inRowProperties = 0;
  let codes = 0;
  let run: RunFormat = plainRun;
  const runs: RunFormat[] = [];
  let isText = false;
  let isCode = false;
  const math: OfficeMath[] = [];
  let mathElements = 0;
  let displays = 0;
  let carried: OpenParagraph | null = null;

  const add = (html: string, characters = html.length): void => {
    const paragraph = paragraphs.at(-1);
    if (html === '' || codes > 0 || paragraph === undefined) return;
    if (run.isHidden) text.hidden += characters;
    else paragraph.runs.push({ format: { ...run, href: hrefNow() }, html });
  };
  const hrefNow = (): string => fields.at(-1)?.href ?? links.at(-1) ?? '';
  const addBox = (isTicked: boolean): void => {
    const paragraph = paragraphs.at(-1);
    if (paragraph === undefined || run.isHidden) return;
    if (paragraph.runs.every(({ html }) => html.trim() === '') && paragraph.isTicked === null)
      paragraph.isTicked = isTicked;
    else add(isTicked ? '☒' : '☐');
  };

  /** The content of a hidden run, such as a text box, is hidden. */
  const openRun = (): void => {
    runs.push(run);
    run = { ...plainRun, isHidden: run.isHidden };
  };
  const closeRun = (): void => void (run = runs.pop() ?? plainRun);

  const openParagraph = (): void => {
    const box = (run.isHidden ? null : boxes.at(-1)) ?? null;
    if (box !== null) boxes[boxes.length - 1] = null;
    paragraphs.push({
      properties: { style: null, outline: null, numId: null, depth: null },
      isJoined: false,
      isDropCap: false,
      isTicked: carried?.isTicked ?? box,
      isBox: box !== null,
      depth: sinks.length,
      runs: carried?.runs ?? [],
      after: carried?.after ?? [],
    });
    carried = null;
  };

  const closeParagraph = (): void => {
    const paragraph = paragraphs.pop();
    if (paragraph === undefined) return;
    // A code that does not end here hides no more than its paragraph.
    for (let last = fields.at(-1); last?.isCode === true; last = fields.at(-1)) {
      fields.pop();
      codes -= 1;
    }
    if (paragraph.isJoined || paragraph.isDropCap) carried = paragraph;
    else endParagraph(paragraph);
  };
  /** Before what holds it ends, a paragraph ends that should go on in the next one. */
  const endCarried = (): void => {
    if (carried !== null) endParagraph(carried);
    carried = null;
  };
  const endParagraph = (paragraph: OpenParagraph): void => {
    const format = context.formatOf(paragraph.properties);
    if (paragraph.isBox && [...(paragraph.runs[0]?.html ?? '')].length === 1) paragraph.runs.shift();
    const html = joinRuns(paragraph.runs);
    const length = html.replaceAll(/<[^<>]*>/g, '').trim().length;
    if (format.isHidden) text.hidden += length + lengthOf(paragraph.after);
    else if (html.trim() !== '' || paragraph.isTicked !== null)
      sinks.at(-1)?.push(toBlock(paragraph, format, html, length));
    for (const block of format.isHidden ? [] : paragraph.after) sinks.at(-1)?.push(block);
  };

  const openMath = (name: string, attributes: XmlAttributes): void => {
    mathElements += math.length < maxMathDepth ? 1 : maxMathElements;
    const node: OfficeMath = { name: bareName(name), value: valueOf(attributes), parts: [], text: '' };
    if (mathElements <= maxMathElements) math.at(-1)?.parts.push(node);
    math.push(node);
  };
  const closeMath = (): void => {
    const formula = math.pop();
    if (formula === undefined || math.length > 0) return;
    const isLarge = mathElements > maxMathElements;
    if (formula.text.trim() !== '')
      add(isLarge ? escaped(formula.text) : mathMl(formula, displays > 0 && rows.length === 0), 0);
    mathElements = 0;
  };

  const openField = (type: string | undefined): void => {
    if (type === 'begin') {
      fields.push({ code: '', isCode: true, href: null, box: null, choices: [], chosen: 0 });
      codes += 1;
      return;
    }
    const field = fields.at(-1);
    if (field === undefined) return;
    if (field.isCode) {
      field.isCode = false;
      codes -= 1;
      field.href = /^\s*HYPERLINK\s+"([^"]{1,2000})"/i.exec(field.code)?.[1] ?? fields.at(-2)?.href ?? null;
      if (field.box !== null) addBox(field.box);
      add(escaped(field.choices[field.chosen] ?? ''));
    }
    if (type === 'end') fields.pop();
  };

  const openSink = (): void => {
    endCarried();
    sinks.push([]);
    spans.push(1);
  };
  const endSink = (): { blocks: OfficeBlock[]; span: number } => {
    endCarried();
    return { blocks: sinks.length > 1 ? (sinks.pop() ?? []) : [], span: spans.pop() ?? 1 };
  };
  const openNote = (kind: NoteKind, attributes: XmlAttributes): void => {
    openSink();
    const [id = '', author = '', type = ''] = ['id', 'author', 'type'].map((name) => valueOf(attributes, name));
    const blocks = sinks.at(-1) ?? [];
    if (!/separator|continuation/i.test(type)) text.notes.push({ kind, id, author, blocks });
  };
  const endCell = (): void => {
    const { blocks, span } = endSink();
    const row = rows.at(-1)?.rows.at(-1);
    for (let column = 0; column < span; column += 1) row?.push(column === 0 ? blocks : []);
  };
  const endBox = (): void => {
    for (const block of endSink().blocks) (paragraphs.at(-1)?.after ?? sinks.at(-1))?.push(block);
  };
  const endTable = (): void => {
    const table = rows.pop()?.rows.filter((cells) => cells.some((cell) => cell.length > 0)) ?? [];
    sinks.at(-1)?.push({ rows: table });
  };
  const addDiagram = (id: string): void => {
    for (const line of context.diagram(id))
      if (run.isHidden) text.hidden += line.length;
      else paragraphs.at(-1)?.after.push(toBlock(null, bulleted, escaped(line), line.length));
  };
  const refer = (kind: NoteKind, id = ''): void => add(noteMark(context.markOf(kind, id)), 0);
  const setField = (change: (field: Field) => void): void => fields.slice(-1).forEach(change);
  const setBox = (isTicked: boolean): void => void (boxes[boxes.length - 1] = isTicked);
  const format = (change: Partial<RunFormat>): void => {
    if (runs.length > 0) run = { ...run, ...change };
  };
  const isOtherChoice = (name: string, attributes: XmlAttributes): boolean => {
    if (name === 'mc:AlternateContent') choices.push(false);
    if (name !== 'mc:Choice' && name !== 'mc:Fallback') return false;
    const isKnown = (attributes['Requires'] ?? '').split(/\s/).every((one) => one === '' || knownExtension.test(one));
    if (choices.at(-1) === true || (name === 'mc:Choice' && !isKnown)) return true;
    choices[choices.length - 1] = true;
    return false;
  };

  const properties: Handlers<OpenParagraph> = {
    'w:pStyle': (value, _, paragraph) => (paragraph.properties.style = value ?? null),
    'w:outlineLvl': (value, _, paragraph) => (paragraph.properties.outline = wholeNumber(value)),
    'w:numId': (value, _, paragraph) => (paragraph.properties.numId = value ?? null),
    'w:ilvl': (value, _, paragraph) => (paragraph.properties.depth = Math.max(0, wholeNumber(value) ?? 0)),
    'w:del': (_value, _, paragraph) => (paragraph.isJoined = true),
    'w:framePr': (_, attributes, paragraph) =>
      (paragraph.isDropCap = /^(?:drop|margin)$/.test(valueOf(attributes, 'dropCap') ?? '')),
  };
  const opens: Handlers<undefined> = {
    'w:p': openParagraph,
    'w:pPr': () => (inProperties += 1),
    'w:trPr': () => (inRowProperties += 1),
    'w:del': () => inRowProperties > 0 && rows.slice(-1).forEach((table) => (table.isDeleted = true)),
    'w:r': openRun,
    'm:r': openRun,
    'm:ctrlPr': openRun,
    'w:sdtPr': openRun,
    'w:sdtEndPr': openRun,
    'w:b': (value) => format({ isBold: isOn(value) }),
    'w:i': (value) => format({ isItalic: isOn(value) }),
    'w:strike': (value) => format({ isStruck: isOn(value) }),
    'w:vertAlign': (value) => format({ vertical: value ?? '' }),
    'w:vanish': (value) => format({ isHidden: isOn(value) || runs.at(-1)?.isHidden === true }),
    'w:rStyle': (value) => context.hiddenStyles.has(value ?? '') && format({ isHidden: true }),
    'w:sz': (value) => (wholeNumber(value) ?? 20) <= maxInvisibleSize && format({ isHidden: true }),
    'w:t': () => (isText = true),
    'a:t': () => (isText = true),
    'w:instrText': () => (isCode = true),
    'w:tab': () => add(' '),
    'w:ptab': () => add(' '),
    'w:cr': () => add('<br>', 1),
    'w:br': (_, attributes) => add(/^(?:page|column)$/.test(valueOf(attributes, 'type') ?? '') ? ' ' : '<br>', 1),
    'w:noBreakHyphen': () => add('\u2011'),
    'w:sym': (_, attributes) => add(symbolOf(valueOf(attributes, 'font'), valueOf(attributes, 'char'))),
    'w:hyperlink': (_, attributes) => links.push(context.links.get(valueOf(attributes, 'id') ?? '') ?? ''),
    'w:fldChar': (_, attributes) => openField(valueOf(attributes, 'fldCharType')),
    'w:checkBox': () => setField((field) => (field.box = false)),
    'w:checked': (value) => setField((field) => (field.box = field.box === null ? null : isOn(value))),
    'w:default': (value) => setField((field) => (field.box = field.box === null ? null : isOn(value))),
    'w:listEntry': (value) => setField(({ choices }) => choices.length < maxChoices && choices.push(value ?? '')),
    'w:result': (value) => setField((field) => (field.chosen = wholeNumber(value) ?? 0)),
    'w:footnoteReference': (_, attributes) => refer('footnote', valueOf(attributes, 'id')),
    'w:endnoteReference': (_, attributes) => refer('endnote', valueOf(attributes, 'id')),
    'w:commentReference': (_, attributes) => refer('comment', valueOf(attributes, 'id')),
    'w:sdt': () => boxes.push(null),
    'w14:checkbox': () => setBox(false),
    'w14:checked': (value) => setBox(isOn(value)),
    'w:sdtContent'() {
      const isTicked = boxes.at(-1) ?? null;
      if (isTicked === null || paragraphs.at(-1)?.depth !== sinks.length) return;
      addBox(isTicked);
      skipped += 1;
    },
    'w:tbl': () => rows.push({ rows: [], isDeleted: false }),
    'w:tr'() {
      for (const table of rows.slice(-1)) table.isDeleted = false;
      rows.at(-1)?.rows.push([]);
    },
    'w:tc': openSink,
    'w:gridSpan': (value) => (spans[spans.length - 1] = Math.min(100, Math.max(1, wholeNumber(value) ?? 1))),
    'w:txbxContent': openSink,
    'w:footnote': (_, attributes) => openNote('footnote', attributes),
    'w:endnote': (_, attributes) => openNote('endnote', attributes),
    'w:comment': (_, attributes) => openNote('comment', attributes),
    'wp:docPr': (_, attributes) => add(picture(attributes['descr'])),
    'v:shape': (_, attributes) => add(picture(attributes['alt'])),
    'dgm:relIds': (_, attributes) => addDiagram(attributes['r:dm'] ?? ''),
    'm:oMathPara': () => (displays += 1),
  };
  const closes: Readonly<Record<string, () => unknown>> = {
    'w:p': closeParagraph,
    'w:r': closeRun,
    'm:r': closeRun,
    'm:ctrlPr': closeRun,
    'w:sdtPr': closeRun,
    'w:sdtEndPr': closeRun,
    'w:pPr': () => (inProperties -= 1),
    'w:trPr': () => (inRowProperties -= 1),
    'w:t': () => (isText = false),
    'a:t': () => (isText = false),
    'w:instrText': () => (isCode = false),
    'w:hyperlink': () => links.pop(),
    'w:sdt': () => boxes.pop(),
    'w:tr': () => rows.at(-1)?.isDeleted === true && rows.at(-1)?.rows.pop(),
    'w:tc': endCell,
    'w:tbl': endTable,
    'w:txbxContent': endBox,
    'w:footnote': endSink,
    'w:endnote': endSink,
    'w:comment': endSink,
    'm:oMathPara': () => (displays -= 1),
  };
  const openElement = (name: string, attributes: XmlAttributes): void => {
    const paragraph = paragraphs.at(-1);
    if (paragraph !== undefined && inProperties > 0 && name !== 'w:pPr') {
      if (Object.hasOwn(properties, name)) properties[name]?.(valueOf(attributes), attributes, paragraph);
    } else if (Object.hasOwn(opens, name)) opens[name]?.(valueOf(attributes), attributes, undefined);
  };

  text.isWhole = walkXml(
    xml,
    {
      open(written, attributes) {
        const name = knownName(written, attributes, prefixes);
        if (skipped === 0 && name === 'w:del') openElement(name, attributes);
        if (skipped > 0 || leftOut.has(name) || isOtherChoice(name, attributes)) skipped += 1;
        else if (math.length > 0 || name === 'm:oMath') {
          openMath(name, attributes);
          if (alsoInMath.has(name)) openElement(name, attributes);
        } else openElement(name, attributes);
      },
      text(data) {
        const symbol = math.at(-1);
        if (skipped > 0) return;
        if (symbol?.name === 't' && run.isHidden) text.hidden += data.length;
        else if (symbol?.name === 't') {
          symbol.text += data;
          if (math[0] !== undefined) math[0].text += data;
        } else if (isCode) {
          const field = fields.at(-1);
          if (field?.isCode === true && field.code.length < maxCodeLength) field.code += data;
        } else if (isText) add(escaped(data), data.length);
      },
      close(written) {
        const name = knownName(written, {}, prefixes);
        if (skipped > 0) {
          skipped -= 1;
          return;
        }
        if (name === 'mc:AlternateContent') choices.pop();
        if ((math.length === 0 || alsoInMath.has(name)) && Object.hasOwn(closes, name)) closes[name]?.();
        if (math.length > 0) closeMath();
      },
    },
    context.progress,
  );
  endCarried();
  return text;
}

const maxCodeLength = 5_000;
const maxChoices = 1_000;
const bulleted: ParagraphFormat = {
  level: null,
  isQuote: false,
  isHidden: false,
  label: { depth: 0, text: null, number: null },
};

/** The name with the prefix that is used here, whatever prefix the file declares for its schema. */
function knownName(written: string, attributes: XmlAttributes, prefixes: Map<string, string>): string {
  for (const [key, value] of Object.entries(attributes)) {
    if (!key.startsWith('xmlns') || prefixes.size > 200) continue;
    const known = schemas.find(([schema]) => schema.test(value))?.[1];
    if (known !== undefined) prefixes.set(key.slice(6), known);
  }
  const colon = written.indexOf(':');
  const prefix = prefixes.get(colon === -1 ? '' : written.slice(0, colon));
  return prefix === undefined ? written : `${prefix}:${written.slice(colon + 1)}`;
}

function toBlock(
  paragraph: OpenParagraph | null,
  format: ParagraphFormat,
  html: string,
  length: number,
): OfficeParagraph {
  const isHeading = format.level !== null && length > 0 && length <= maxHeadingLength;
  const tag = isHeading ? (`h${format.level}` as OfficeParagraph['tag']) : format.isQuote ? 'blockquote' : 'p';
  return { tag, html, label: format.label, isTicked: paragraph?.isTicked ?? null };
}

function symbolOf(font = '', code = ''): string {
  return escaped(hex(font, code.replace(/^F0/i, ''))?.string ?? '');
}
