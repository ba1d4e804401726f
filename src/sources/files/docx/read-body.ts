import { hex } from 'dingbat-to-unicode';
import { walkXml, escaped, bareName } from '../xml-elements.ts';
import { noteMark, type OfficeBlock, type OfficeParagraph } from './document-html.ts';
import { isOn, valueOf, wholeNumber, type ParagraphFormat, type ParagraphProperties } from './numbering.ts';
import { mathMl, maxMathDepth, maxMathElements, type OfficeMath } from './office-math.ts';

/** What reading a part of a document needs to know of the others. */
export interface BodyContext {
  formatOf(properties: ParagraphProperties): ParagraphFormat;
  hiddenStyles: ReadonlySet<string>;
  /** Addresses of links by their ids in this part. */
  links: ReadonlyMap<string, string>;
  /** The label of a note that the text refers to. */
  labelOf(kind: NoteKind, id: string): string;
  /** The text of a diagram by the id of its part. */
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

interface RunFormat {
  isBold: boolean;
  isItalic: boolean;
  isStruck: boolean;
  vertical: string;
  isHidden: boolean;
  href: string;
}

interface OpenParagraph {
  properties: ParagraphProperties;
  isJoined: boolean;
  isDropCap: boolean;
  isTicked: boolean | null;
  runs: { format: RunFormat; html: string }[];
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
  'del moveFrom delText delInstrText rt pPrChange rPrChange sectPrChange tblPrChange trPrChange tcPrChange tblGridChange'.split(
    ' ',
  ),
);
/** A font that nobody can read, in half points. */
const maxInvisibleSize = 3;
/** A longer paragraph is no heading, whatever its style. In characters. */
const maxHeadingLength = 400;

/** Names of the schemas that Word's elements are from, in the transitional and the strict form, and what they are called here. */
const schemas: readonly [RegExp, string][] = [
  [/wordprocessingml\/(?:2006\/)?main$/, 'w'],
  [/officeDocument\/(?:2006\/)?math$/, 'm'],
  [/drawingml\/(?:2006\/)?main$/, 'a'],
];

const plain: RunFormat = { isBold: false, isItalic: false, isStruck: false, vertical: '', isHidden: false, href: '' };

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
  let run: RunFormat = plain;
  let isText = false;
  let isCode = false;
  const math: OfficeMath[] = [];
  let mathElements = 0;
  let displays = 0;
  /** Text of a paragraph that goes on in the next one. */
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
    if (paragraph === undefined) return;
    if (paragraph.runs.every(({ html }) => html.trim() === '') && paragraph.isTicked === null)
      paragraph.isTicked = isTicked;
    else add(isTicked ? '☒' : '☐');
  };

  const openParagraph = (): void => {
    paragraphs.push({
      properties: { style: null, outline: null, numId: null, depth: null },
      isJoined: false,
      isDropCap: false,
      isTicked: carried?.isTicked ?? null,
      runs: carried?.runs ?? [],
      after: carried?.after ?? [],
    });
    carried = null;
    run = plain;
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
    const html = joinRuns(paragraph.runs);
    const length = html.replaceAll(/<[^<>]*>/g, '').trim().length;
    if (format.isHidden) text.hidden += length;
    else if (html.trim() !== '' || paragraph.isTicked !== null)
      sinks.at(-1)?.push(toBlock(paragraph, format, html, length));
    sinks.at(-1)?.push(...paragraph.after);
  };

  const openMath = (name: string, attributes: Readonly<Record<string, string>>): void => {
    mathElements += math.length < maxMathDepth ? 1 : maxMathElements;
    const node: OfficeMath = { name: bareName(name), value: valueOf(attributes), parts: [], text: '' };
    if (mathElements <= maxMathElements) math.at(-1)?.parts.push(node);
    math.push(node);
  };
  const closeMath = (): void => {
    const formula = math.pop();
    if (formula === undefined || math.length > 0) return;
    add(mathElements > maxMathElements ? escaped(formula.text) : mathMl(formula, displays > 0 && rows.length === 0));
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

  const properties: Readonly<
    Record<string, (attributes: Readonly<Record<string, string>>, paragraph: OpenParagraph) => void>
  > = {
    pStyle: (attributes, { properties }) => void (properties.style = valueOf(attributes) ?? null),
    outlineLvl: (attributes, { properties }) => void (properties.outline = wholeNumber(valueOf(attributes))),
    numId: (attributes, { properties }) => void (properties.numId = valueOf(attributes) ?? null),
    ilvl: (attributes, { properties }) => void (properties.depth = Math.max(0, wholeNumber(valueOf(attributes)) ?? 0)),
    del: (_, paragraph) => void (paragraph.isJoined = true),
    framePr: (attributes, paragraph) =>
      void (paragraph.isDropCap = /^(?:drop|margin)$/.test(valueOf(attributes, 'dropCap') ?? '')),
  };
  const formats: Readonly<Record<string, (value: string | undefined) => Partial<RunFormat>>> = {
    b: (value) => ({ isBold: isOn(value) }),
    i: (value) => ({ isItalic: isOn(value) }),
    strike: (value) => ({ isStruck: isOn(value) }),
    vertAlign: (value) => ({ vertical: value ?? '' }),
    vanish: (value) => ({ isHidden: isOn(value) }),
    rStyle: (value) => (context.hiddenStyles.has(value ?? '') ? { isHidden: true } : {}),
    sz: (value) => ((wholeNumber(value) ?? 20) <= maxInvisibleSize ? { isHidden: true } : {}),
  };

  const openWord = (name: string, attributes: Readonly<Record<string, string>>): void => {
    const paragraph = paragraphs.at(-1);
    if (paragraph !== undefined && inProperties > 0) {
      if (Object.hasOwn(properties, name)) properties[name]?.(attributes, paragraph);
    } else if (Object.hasOwn(formats, name)) run = { ...run, ...formats[name]?.(valueOf(attributes)) };
    const field = fields.at(-1);
    switch (name) {
      case 'p':
        openParagraph();
        break;
      case 'pPr':
        inProperties += 1;
        break;
      case 'trPr':
        inRowProperties += 1;
        break;
      case 'del':
        if (inRowProperties > 0) for (const row of rows.slice(-1)) row.isDeleted = true;
        break;
      case 'r':
        run = plain;
        break;
      case 't':
        isText = true;
        break;
      case 'instrText':
        isCode = true;
        break;
      case 'tab':
      case 'ptab':
        if (inProperties === 0) add(' ');
        break;
      case 'br':
      case 'cr':
        add(/^(?:page|column)$/.test(valueOf(attributes, 'type') ?? '') ? ' ' : '<br>', 1);
        break;
      case 'noBreakHyphen':
        add('\u2011');
        break;
      case 'sym':
        add(
          escaped(
            hex(valueOf(attributes, 'font') ?? '', (valueOf(attributes, 'char') ?? '').replace(/^F0/i, ''))?.string ??
              '',
          ),
        );
        break;
      case 'hyperlink':
        links.push(context.links.get(valueOf(attributes, 'id') ?? '') ?? '');
        break;
      case 'fldChar':
        openField(valueOf(attributes, 'fldCharType'));
        break;
      case 'checkBox':
        if (field !== undefined) field.box = false;
        break;
      case 'checked':
      case 'default':
        if (field !== undefined && field.box !== null) field.box = isOn(valueOf(attributes));
        break;
      case 'listEntry':
        if (field !== undefined && field.choices.length < 1_000) field.choices.push(valueOf(attributes) ?? '');
        break;
      case 'result':
        if (field !== undefined) field.chosen = wholeNumber(valueOf(attributes)) ?? 0;
        break;
      case 'footnoteReference':
      case 'endnoteReference':
      case 'commentReference':
        add(noteMark(context.labelOf(name.slice(0, -9) as NoteKind, valueOf(attributes, 'id') ?? '')), 0);
        break;
      case 'sdt':
        boxes.push(null);
        break;
      case 'sdtContent':
        if (typeof boxes.at(-1) === 'boolean') {
          addBox(boxes.at(-1) === true);
          skipped += 1;
        }
        break;
      case 'tbl':
        rows.push({ rows: [], isDeleted: false });
        break;
      case 'tr':
        for (const table of rows.slice(-1)) {
          table.isDeleted = false;
          table.rows.push([]);
        }
        break;
      case 'tc':
      case 'txbxContent':
      case 'footnote':
      case 'endnote':
      case 'comment':
        endCarried();
        sinks.push([]);
        spans.push(1);
        if (name !== 'tc' && name !== 'txbxContent') {
          const author = valueOf(attributes, 'author') ?? '';
          const isNote = !/separator|continuation/i.test(valueOf(attributes, 'type') ?? '');
          if (isNote)
            text.notes.push({ kind: name, id: valueOf(attributes, 'id') ?? '', author, blocks: sinks.at(-1) ?? [] });
        }
        break;
      case 'gridSpan':
        spans[spans.length - 1] = Math.min(100, wholeNumber(valueOf(attributes)) ?? 1);
        break;
      default:
    }
  };

  const closeWord = (name: string): void => {
    switch (name) {
      case 'p':
        closeParagraph();
        break;
      case 'pPr':
        inProperties -= 1;
        break;
      case 'trPr':
        inRowProperties -= 1;
        break;
      case 't':
        isText = false;
        break;
      case 'instrText':
        isCode = false;
        break;
      case 'hyperlink':
        links.pop();
        break;
      case 'sdt':
        boxes.pop();
        break;
      case 'tc':
        endCell();
        break;
      case 'tr':
        if (rows.at(-1)?.isDeleted === true) rows.at(-1)?.rows.pop();
        break;
      case 'tbl':
        for (const table of rows.splice(-1))
          sinks.at(-1)?.push({ rows: table.rows.filter((cells) => cells.some((cell) => cell.length > 0)) });
        break;
      case 'txbxContent':
        endBox();
        break;
      case 'footnote':
      case 'endnote':
      case 'comment':
        endSink();
        break;
      default:
    }
  };
  const endSink = (): OfficeBlock[] => {
    endCarried();
    return sinks.length > 1 ? (sinks.pop() ?? []) : [];
  };
  const endCell = (): void => {
    const row = rows.at(-1)?.rows.at(-1);
    row?.push(endSink());
    for (let more = spans.pop() ?? 1; more > 1; more -= 1) row?.push([]);
  };
  const endBox = (): void => {
    const inside = endSink();
    (paragraphs.at(-1)?.after ?? sinks.at(-1))?.push(...inside);
  };

  const openOther = (name: string, attributes: Readonly<Record<string, string>>): void => {
    switch (name) {
      case 'a:t':
        isText = true;
        break;
      case 'w14:checkbox':
        boxes[boxes.length - 1] = false;
        break;
      case 'w14:checked':
        boxes[boxes.length - 1] = isOn(valueOf(attributes));
        break;
      case 'wp:docPr':
      case 'v:shape':
        add(picture(attributes['descr'] ?? attributes['alt'] ?? ''));
        break;
      case 'dgm:relIds': {
        const after = context
          .diagram(attributes['r:dm'] ?? '')
          .map((line) => toBlock(null, bulleted, escaped(line), line.length));
        paragraphs.at(-1)?.after.push(...after);
        break;
      }
      case 'mc:AlternateContent':
        choices.push(false);
        break;
      case 'mc:Choice':
        choices[choices.length - 1] = true;
        break;
      default:
    }
  };

  text.isWhole = walkXml(
    xml,
    {
      open(written, attributes) {
        const name = knownName(written, attributes, prefixes);
        const local = name.startsWith('w:') ? name.slice(2) : null;
        if (skipped === 0 && local === 'del') openWord(local, attributes);
        // The older form of what was read before.
        const isRepeated = name === 'mc:Fallback' && choices.at(-1) === true;
        if (skipped > 0 || isRepeated || (local !== null && leftOut.has(local))) skipped += 1;
        else if (math.length > 0 || name === 'm:oMath') openMath(name, attributes);
        else if (local !== null) openWord(local, attributes);
        else if (name === 'm:oMathPara') displays += 1;
        else openOther(name, attributes);
      },
      text(data) {
        const symbol = math.at(-1);
        if (skipped > 0) return;
        if (symbol?.name === 't') {
          symbol.text += data;
          if (math[0] !== undefined) math[0].text += data;
        } else if (isCode) {
          const field = fields.at(-1);
          if (field?.isCode === true && field.code.length < maxCodeLength) field.code += data;
        } else if (isText) add(escaped(data), data.length);
      },
      close(written) {
        const name = knownName(written, {}, prefixes);
        if (skipped > 0) skipped -= 1;
        else if (math.length > 0) closeMath();
        else if (name.startsWith('w:')) closeWord(name.slice(2));
        else if (name === 'm:oMathPara') displays -= 1;
        else if (name === 'a:t') isText = false;
        else if (name === 'mc:AlternateContent') choices.pop();
      },
    },
    context.progress,
  );
  endCarried();
  return text;
}

const maxCodeLength = 5_000;
const bulleted: ParagraphFormat = {
  level: null,
  isQuote: false,
  isHidden: false,
  label: { depth: 0, text: null, number: null },
};

/** The name with the prefix that is used here, whatever prefix the file declares for its schema. */
function knownName(
  written: string,
  attributes: Readonly<Record<string, string>>,
  prefixes: Map<string, string>,
): string {
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

/** Programs add notes of their own to the descriptions that they make. */
const madeByProgram = /(?:Description automatically generated|AI-generated content may be incorrect)/i;

function picture(description: string): string {
  const [words = ''] = description.split(madeByProgram, 1);
  const text = words.replaceAll(/\s+/g, ' ').trim().slice(0, maxDescription);
  return text === '' ? '' : ` (Picture: ${escaped(text)}) `;
}
const maxDescription = 2_000;

function joinRuns(runs: OpenParagraph['runs']): string {
  const parts: string[] = [];
  let link = '';
  let before: RunFormat = plain;
  let open = '';
  const close = (): void => {
    if (open.trim() === '') parts.push(open);
    else parts.push(marked(open, before));
    open = '';
  };
  for (const { format, html } of runs) {
    if (!isAlike(format, before)) {
      close();
      if (format.href !== link) {
        if (link !== '') parts.push('</a>');
        if (format.href !== '') parts.push(`<a href="${escaped(format.href)}">`);
        link = format.href;
      }
      before = format;
    }
    open += html;
  }
  close();
  if (link !== '') parts.push('</a>');
  return parts.join('').trim();
}

function isAlike(one: RunFormat, other: RunFormat): boolean {
  return (
    one.href === other.href &&
    one.isBold === other.isBold &&
    one.isItalic === other.isItalic &&
    one.isStruck === other.isStruck &&
    one.vertical === other.vertical
  );
}

function marked(html: string, { isBold, isItalic, isStruck, vertical }: RunFormat): string {
  let text = html;
  if (vertical === 'superscript' && !text.startsWith('<a')) text = `<sup>${text}</sup>`;
  if (vertical === 'subscript') text = `<sub>${text}</sub>`;
  if (isStruck) text = `<s>${text}</s>`;
  if (isItalic) text = `<em>${text}</em>`;
  return isBold ? `<strong>${text}</strong>` : text;
}
