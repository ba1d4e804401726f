import { escaped } from '../xml-elements.ts';

/** An element of a formula as Word writes it (OMML), without its prefix. */
export interface OfficeMath {
  name: string;
  value: string | undefined;
  parts: OfficeMath[];
  text: string;
}

/** Formulas with more elements than this, or deeper ones, keep the text of their symbols. */
export const maxMathElements = 5_000;
export const maxMathDepth = 60;

const functionName =
  /^(?:a?(?:rc)?(?:sin|cos|tan|cot|sec|csc)h?|log|ln|lg|exp|lim|max|min|sup|inf|det|dim|gcd|arg|Pr)$/;
const relation = /^[=<>≤≥≠≈≡∼≅∝→⇒⇔↔←]$/u;

export function mathMl(formula: OfficeMath, isDisplay: boolean): string {
  return `<math${isDisplay ? ' display="block"' : ''}>${formula.parts.map(write).join('')}</math>`;
}

function write(node: OfficeMath): string {
  const all = (one: OfficeMath = node): string => one.parts.map(write).join('');
  const part = (name: string): string =>
    `<mrow>${node.parts
      .filter((one) => one.name === name)
      .map((one) => all(one))
      .join('')}</mrow>`;
  const has = (name: string): boolean => node.parts.some((one) => one.name === name && one.parts.length > 0);
  const property = (name: string): string | undefined => propertyOf(node, name);
  const scripts = (base: string, isUnder: boolean): string => {
    const [below, above] = [has('sub'), has('sup')];
    const kind = isUnder ? ['munder', 'mover', 'munderover'] : ['msub', 'msup', 'msubsup'];
    const name = below && above ? kind[2] : below ? kind[0] : above ? kind[1] : null;
    return name === null ? base : `<${name}>${base}${below ? part('sub') : ''}${above ? part('sup') : ''}</${name}>`;
  };
  switch (node.name) {
    case 'r':
      return symbols(node);
    case 'f': {
      const type = property('type');
      if (type === 'lin') return `${part('num')}<mo>/</mo>${part('den')}`;
      return `<mfrac${type === 'noBar' ? ' linethickness="0"' : ''}>${part('num')}${part('den')}</mfrac>`;
    }
    case 'rad':
      return has('deg') ? `<mroot>${part('e')}${part('deg')}</mroot>` : `<msqrt>${part('e')}</msqrt>`;
    case 'ssup':
    case 'ssub':
    case 'ssubsup':
      return scripts(part('e'), false);
    case 'spre':
      return `${scripts('<mrow></mrow>', false)}${part('e')}`;
    case 'nary':
      return `${scripts(sign(property('chr') ?? '∫'), true)}${part('e')}`;
    case 'func':
      return `${part('fname')}${part('e')}`;
    case 'limlow':
      return `<munder>${part('e')}${part('lim')}</munder>`;
    case 'limupp':
      return `<mover>${part('e')}${part('lim')}</mover>`;
    case 'd': {
      const inside = node.parts.filter(({ name }) => name === 'e').map((one) => all(one));
      return `${sign(property('begchr') ?? '(')}${inside.join(sign(property('sepchr') ?? '|'))}${sign(property('endchr') ?? ')')}`;
    }
    case 'acc':
      return `<mover>${part('e')}${sign(accents.get(property('chr') ?? '\u0302') ?? property('chr') ?? '')}</mover>`;
    case 'bar':
      return property('pos') === 'top'
        ? `<mover>${part('e')}${sign('¯')}</mover>`
        : `<munder>${part('e')}${sign('_')}</munder>`;
    case 'groupchr':
      return property('pos') === 'top'
        ? `<mover>${part('e')}${sign(property('chr') ?? '⏞')}</mover>`
        : `<munder>${part('e')}${sign(property('chr') ?? '⏟')}</munder>`;
    case 'm':
      return `<mtable>${node.parts
        .filter(({ name }) => name === 'mr')
        .map((row) => `<mtr>${cells(row)}</mtr>`)
        .join('')}</mtable>`;
    case 'eqarr':
      return `<mtable>${node.parts
        .filter(({ name }) => name === 'e')
        .map((row) => `<mtr><mtd>${all(row)}</mtd></mtr>`)
        .join('')}</mtable>`;
    default:
      return node.name.endsWith('pr') ? '' : all();
  }
}

const cells = (row: OfficeMath): string =>
  row.parts
    .filter(({ name }) => name === 'e')
    .map((cell) => `<mtd>${cell.parts.map(write).join('')}</mtd>`)
    .join('');

/** Accents are combining characters in Word. */
const accents = new Map(
  Object.entries({
    '\u0302': '^',
    '\u0303': '~',
    '\u0304': '¯',
    '\u0305': '‾',
    '\u0307': '˙',
    '\u0308': '¨',
    '\u20d7': '→',
  }),
);

function propertyOf(node: OfficeMath, name: string): string | undefined {
  const properties = node.parts.find((one) => one.name.endsWith('pr'));
  return properties?.parts.find((one) => one.name === name)?.value;
}

function sign(text: string): string {
  return text === '' ? '' : `<mo>${escaped(text)}</mo>`;
}

/** Letters one by one, except the upright ones of names and words; numbers whole. */
function symbols(run: OfficeMath): string {
  const written = run.parts.filter(({ name }) => name === 't').map(({ text }) => text);
  // Some programs write italic and bold letters as separate characters.
  const text = written.join('').replaceAll(/[\u{1d400}-\u{1d7ff}\u210e]/gu, (letter) => letter.normalize('NFKC'));
  const properties = run.parts.find(({ name }) => name === 'rpr')?.parts ?? [];
  if (properties.some(({ name }) => name === 'nor')) return `<mtext>${escaped(text)}</mtext>`;
  const isUpright =
    properties.some(({ name, value }) => name === 'sty' && value === 'p') || functionName.test(text.trim());
  return [...text.matchAll(isUpright ? /\p{L}+|\d+(?:[.,]\d+)*|\S/gu : /\p{L}\p{M}*|\d+(?:[.,]\d+)*|\S/gu)]
    .map(([one]) => {
      if (/^\p{L}/u.test(one)) return `<mi>${escaped(one)}</mi>`;
      if (/^\d/.test(one)) return `<mn>${one}</mn>`;
      return relation.test(one) ? `<mspace></mspace>${sign(one)}<mspace></mspace>` : sign(one);
    })
    .join('');
}
