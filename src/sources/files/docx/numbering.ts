import { spelledNumber } from '../../page/markdown/list-items.ts';
import { bareName, walkXml } from '../xml-elements.ts';

export interface ParagraphFormat {
  /** 1 to 6; null for text. */
  level: number | null;
  isQuote: boolean;
  isHidden: boolean;
  /** The number that Word shows before it, or a bullet; null for neither. */
  label: Label | null;
}

export interface Label {
  depth: number;
  /** As it is written, such as `c)` or `2.1`; null for a bullet. */
  text: string | null;
  /** The number, where the label is a number alone. */
  number: number | null;
}

interface Level {
  start: number;
  format: string;
  text: string;
  isLegal: boolean;
  style: string | null;
}

interface Numbering {
  levels: (Level | undefined)[];
  /** The style whose numbering this is in truth. */
  link: string | null;
}

interface NumberingInstance {
  abstract: string;
  starts: Map<number, number>;
}

export interface ParagraphProperties {
  /** Of a style, the one on which it is based. */
  style: string | null;
  outline: number | null;
  numId: string | null;
  depth: number | null;
}

const maxDepth = 9;
const depthFrom = (depth: number): number => Math.min(maxDepth - 1, Math.max(0, depth));
/** Styles on which a style may be based, one on the other. */
const maxChain = 20;

/** `Heading 1` in the languages in which programs name styles. */
const headingName =
  /^(?:heading|überschrift|berschrift|titre|título|titulo|titolo|encabezado|cabeçalho|kop|rubrik|overskrift|otsikko|fyrirsögn|nagłówek|nadpis|címsor|titlu|naslov|заголовок|заглавие|επικεφαλίδα|başlık|tiêu đề|judul|tajuk|标题|標題|見出し|제목|عنوان|العنوان|כותרת|शीर्षक|หัวเรื่อง)\s?([1-9])$/i;
const titleName = /^(?:title|titel|titre du document|otsake|tittel)$/i;
const quoteName =
  /^(?:(?:intense )?quote|block ?text|quotations|zitat|citation|cita|citazione|citaat|citat|цитата|引用)$/i;

/** Reads `styles.xml` and `numbering.xml`, and counts as the paragraphs come, in the order of the document. */
export function readFormats(
  stylesXml: string,
  numberingXml: string,
): (properties: ParagraphProperties) => ParagraphFormat {
  const styles = readStyles(stylesXml);
  const { numberings, instances } = readNumbering(numberingXml);
  const counts = new Map<string, (number | undefined)[]>();
  const started = new Set<string>();

  const labelOf = (properties: ParagraphProperties, chain: readonly [string, Style][]): Label | null => {
    const styled = chain.find(([, { numId }]) => numId !== null);
    const numId = properties.numId ?? styled?.[1].numId ?? null;
    const instance = numId === null ? undefined : instances.get(numId);
    if (numId === null || instance === undefined) return null;
    let numbering = numberings.get(instance.abstract);
    const linked = numbering?.link === null ? null : styles.get(numbering?.link ?? '')?.numId;
    if (linked) numbering = numberings.get(instances.get(linked)?.abstract ?? '');
    if (numbering === undefined) return null;
    const { levels } = numbering;
    const named = chain.map(([id]) => levels.findIndex((one) => one?.style === id)).find((at) => at >= 0);
    const depth = depthFrom(properties.depth ?? named ?? styled?.[1].depth ?? 0);
    const count = counts.get(instance.abstract) ?? [];
    counts.set(instance.abstract, count);
    // A new list on the same numbering begins again where it says so.
    if (!started.has(numId)) for (const [level, start] of instance.starts) count[level] = start - 1;
    started.add(numId);
    const startOf = (at: number): number => levels[at]?.start ?? 1;
    count[depth] = (count[depth] ?? startOf(depth) - 1) + 1;
    count.length = depth + 1;
    const level = levels[depth];
    if (level === undefined || level.format === 'bullet') return { depth, text: null, number: null };
    const text = level.text.replaceAll(/%([1-9])/g, (_, digit: string) => {
      const at = Number(digit) - 1;
      return spelledNumber(count[at] ?? startOf(at), level.isLegal ? 'decimal' : (levels[at]?.format ?? 'decimal'));
    });
    if (text.trim() === '') return null;
    const isPlain = level.format === 'decimal' && /^%[1-9][.)]?$/.test(level.text);
    return { depth, text: text.trim(), number: isPlain ? (count[depth] ?? null) : null };
  };

  return (properties) => {
    const chain = chainOf(styles, properties.style);
    const outline = properties.outline ?? chain.find(([, style]) => style.outline !== null)?.[1].outline ?? null;
    const names = chain.flatMap(([id, { name }]) => [name, id]);
    const named = names.map((name) => headingName.exec(name)?.[1]).find((digit) => digit !== undefined);
    const isTitle = names.some((name) => titleName.test(name));
    const usual = named !== undefined ? Number(named) : isTitle ? 1 : /^subtitle$/i.test(names[0] ?? '') ? 2 : null;
    return {
      level: outline === null ? usual : outline >= maxDepth ? null : Math.min(6, Math.max(1, outline + 1)),
      isQuote: names.some((name) => quoteName.test(name)),
      isHidden: isHiddenBy(chain),
      label: labelOf(properties, chain),
    };
  };
}

export function hiddenStyles(stylesXml: string): Set<string> {
  const styles = readStyles(stylesXml);
  return new Set([...styles.keys()].filter((id) => isHiddenBy(chainOf(styles, id))));
}

function chainOf(styles: ReadonlyMap<string, Style>, id: string | null): [string, Style][] {
  const chain: [string, Style][] = [];
  for (let at = id; at !== null && chain.length < maxChain;) {
    const style = styles.get(at);
    // A document without styles names them in its paragraphs all the same.
    if (style === undefined && chain.length === 0) chain.push([at, { ...emptyStyle(), name: at }]);
    if (style === undefined) break;
    chain.push([at, style]);
    at = style.basedOn;
  }
  return chain;
}

function isHiddenBy(chain: readonly [string, Style][]): boolean {
  return chain.find(([, { isHidden }]) => isHidden !== null)?.[1].isHidden ?? false;
}

type Style = ParagraphProperties & { name: string; basedOn: string | null; isHidden: boolean | null };

function emptyStyle(): Style {
  return { name: '', basedOn: null, style: null, outline: null, numId: null, depth: null, isHidden: null };
}

export function isOn(value: string | undefined): boolean {
  return value === undefined || !/^(?:0|false|off)$/.test(value);
}

export function valueOf(attributes: Readonly<Record<string, string>>, name = 'val'): string | undefined {
  return (
    attributes[`w:${name}`] ?? Object.entries(attributes).find(([key]) => bareName(key) === name.toLowerCase())?.[1]
  );
}

export function wholeNumber(text: string | undefined): number | null {
  return text !== undefined && /^-?\d{1,9}$/.test(text) ? Number(text) : null;
}

type Readers = Readonly<
  Record<string, (value: string | undefined, attributes: Readonly<Record<string, string>>) => unknown>
>;

function readWith(xml: string, readers: Readers): void {
  walkXml(xml, {
    open(fullName, attributes) {
      const name = fullName.slice(fullName.indexOf(':') + 1);
      if (Object.hasOwn(readers, name)) readers[name]?.(valueOf(attributes), attributes);
    },
  });
}

function readStyles(xml: string): Map<string, Style> {
  const styles = new Map<string, Style>();
  let style = emptyStyle();
  readWith(xml, {
    style: (_, attributes) => styles.set(valueOf(attributes, 'styleId') ?? '', (style = emptyStyle())),
    name: (value) => (style.name = value ?? ''),
    basedOn: (value) => (style.basedOn = value ?? null),
    outlineLvl: (value) => (style.outline = wholeNumber(value)),
    numId: (value) => (style.numId = value ?? null),
    ilvl: (value) => (style.depth = wholeNumber(value)),
    vanish: (value) => (style.isHidden = isOn(value)),
  });
  return styles;
}

function readNumbering(xml: string): {
  numberings: Map<string, Numbering>;
  instances: Map<string, NumberingInstance>;
} {
  const numberings = new Map<string, Numbering>();
  const instances = new Map<string, NumberingInstance>();
  const emptyLevel = (): Level => ({ start: 1, format: 'decimal', text: '', isLegal: false, style: null });
  let numbering: Numbering = { levels: [], link: null };
  let instance: NumberingInstance | null = null;
  let overridden = 0;
  let level = emptyLevel();
  const depthIn = (attributes: Readonly<Record<string, string>>): number =>
    depthFrom(wholeNumber(valueOf(attributes, 'ilvl')) ?? 0);
  readWith(xml, {
    abstractNum(_, attributes) {
      instance = null;
      numbering = { levels: [], link: null };
      numberings.set(valueOf(attributes, 'abstractNumId') ?? '', numbering);
    },
    numStyleLink: (value) => (numbering.link = value ?? null),
    lvl(_, attributes) {
      level = emptyLevel();
      if (instance === null) numbering.levels[depthIn(attributes)] = level;
    },
    num(_, attributes) {
      instance = { abstract: '', starts: new Map() };
      instances.set(valueOf(attributes, 'numId') ?? '', instance);
    },
    abstractNumId: (value) => instance !== null && (instance.abstract = value ?? ''),
    lvlOverride: (_, attributes) => (overridden = depthIn(attributes)),
    startOverride: (value) => instance?.starts.set(overridden, wholeNumber(value) ?? 1),
    start: (value) => (level.start = wholeNumber(value) ?? 1),
    numFmt: (value) => (level.format = value ?? 'decimal'),
    lvlText: (value) => (level.text = (value ?? '').slice(0, 100)),
    isLgl: (value) => (level.isLegal = isOn(value)),
    pStyle: (value) => (level.style = value ?? null),
  });
  return { numberings, instances };
}
