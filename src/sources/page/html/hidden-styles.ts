import { withoutComments } from '../../decoding/charset.ts';

/* CSS that hides elements from people. Everything here reads its input once. */

/** Maximum characters read of a `style` attribute or rule. Longer ones contain images and fonts. */
const maxStyle = 2_000;
const maxSheetCharacters = 1_000_000;
const maxRules = 20_000;
/** An element at least this far outside the page cannot be seen. */
const minOffscreenPx = 900;

type Declarations = ReadonlyMap<string, string>;

function readDeclarations(style: string): Declarations {
  const declarations = new Map<string, string>();
  for (const declaration of style.slice(0, maxStyle).toLowerCase().split(';')) {
    const colon = declaration.indexOf(':');
    if (colon === -1) continue;
    const value = declaration
      .slice(colon + 1)
      .replace('!important', '')
      .trim();
    declarations.set(declaration.slice(0, colon).trim(), value);
  }
  return declarations;
}

/** `display` and `opacity` may hide an element until a script shows it; a `trick` hides it permanently. */
export type Hiding = 'display' | 'opacity' | 'trick';

/** How a `style` attribute or the body of a rule hides an element, a trick first; null when it does not. */
export function hidingOf(style: string): Hiding | null {
  if (style === '') return null;
  const styles = readDeclarations(style);
  const value = (name: string) => styles.get(name) ?? '';
  if (isTrick(value)) return 'trick';
  if (value('display') === 'none' || /^(?:hidden|collapse)$/.test(value('visibility'))) return 'display';
  if (value('content-visibility') === 'hidden') return 'display';
  // Closed parts that slide open are hidden like this.
  if (/^(?:hidden|clip)$/.test(value('overflow')) && [value('height'), value('max-height')].some(isZero))
    return 'display';
  return isZero(value('opacity')) ? 'opacity' : null;
}

function isTrick(value: (name: string) => string): boolean {
  if (isZero(value('font-size')) || /^scale[xy3d]{0,2}\(0/.test(value('transform'))) return true;
  const color = colorOf(value('color'));
  const background = colorOf(value('background-color')) || colorOf(value('background'));
  if (color === 'transparent' || (color !== '' && color === background)) return true;
  if (value('clip').startsWith('rect(0') || /^inset\((?:50|100)%/.test(value('clip-path'))) return true;
  const isOut = (name: string) => (pixels(value(name)) ?? 0) <= -minOffscreenPx;
  if (isOut('text-indent')) return true;
  if (/^(?:absolute|fixed)$/.test(value('position')) && ['left', 'top', 'right', 'bottom'].some(isOut)) return true;
  const isTiny = (name: string) => Math.abs(pixels(value(name)) ?? 100) <= 1;
  const isLow = ['height', 'max-height'].some((name) => isTiny(name) && !isZero(value(name)));
  return value('overflow') === 'hidden' && (isTiny('width') || isLow);
}

function isZero(value: string): boolean {
  return /^[0.]{1,8}(?:[a-z]{1,4}|%)?$/.test(value) && value.includes('0');
}

function pixels(value: string): number | null {
  const [, number = '', unit = ''] = /^(-?[\d.]{1,12})(px|em|rem|pt|vw|vh|%)?$/.exec(value) ?? [];
  if (number === '') return null;
  return (
    Number(number) * (unit === 'em' || unit === 'rem' ? 16 : unit === '%' || unit === 'vw' || unit === 'vh' ? 10 : 1)
  );
}

const namedColors: Readonly<Record<string, string>> = { white: 'fff', black: '000' };

/** Normalises the notations of white, black, hex and transparent colours. Other colours stay as written. */
function colorOf(value: string): string {
  const plain = value.replaceAll(' ', '');
  if (plain === 'transparent' || /^(?:rgba|hsla)\([^)]{1,40},[0.]{1,6}\)$/.test(plain)) return 'transparent';
  const hex = /^#([\da-f]{3,8})$/.exec(plain)?.[1] ?? namedColors[plain];
  if (hex === undefined) return /^rgb\(255,255,255\)$/.test(plain) ? 'fff' : plain;
  return /^(?:([\da-f])\1){3}$/.test(hex) ? `${hex[0]}${hex[2]}${hex[4]}` : hex;
}

/** Classes and ids that a page's style sheets hide, and that none of their other rules may show again. */
export function hiddenSelectors(sheets: readonly string[]): ReadonlyMap<string, Hiding> {
  const hidden = new Map<string, Hiding>();
  const shown = new Set<string>();
  let left = maxSheetCharacters;
  for (const sheet of sheets) {
    readRules(sheet.slice(0, left), (selectors, body, depth) => {
      const hiding = hidingOf(body);
      for (const selector of selectors.split(',', 50).map((one) => one.trim())) {
        if (hiding !== null && depth === 0 && /^[.#][\w-]{1,100}$/.test(selector)) {
          if (hidden.get(selector) !== 'trick') hidden.set(selector, hiding);
        } else if (hiding === null && mayShow.test(body))
          for (const [name] of selector.slice(0, 500).matchAll(/[.#][\w-]{1,100}/g)) shown.add(name);
      }
    });
    left = Math.max(0, left - sheet.length);
  }
  for (const name of shown) hidden.delete(name);
  return hidden;
}

const maxNamed = 50;

/** The classes, ids and elements to which a page's style sheets give a property one of these values. */
export function selectorsWith(sheets: readonly string[], property: string, values: RegExp): string[] {
  const found = new Set<string>();
  for (const sheet of sheets.filter((one) => one.includes(property))) {
    readRules(sheet.slice(0, maxSheetCharacters), (selectors, body, depth) => {
      if (depth > 0 || !values.test(body.slice(0, maxStyle))) return;
      for (const selector of selectors.split(',', maxNamed).map((one) => one.trim()))
        if (found.size < maxNamed && /^[a-z]{0,10}[.#][\w-]{1,100}$/i.test(selector)) found.add(selector);
    });
  }
  return [...found];
}

/** Matches declarations that may show an element again, as rules for small screens, open menus or loaded pages do. */
const mayShow =
  /(?:display|visibility|opacity|position|left|top|clip|height|width|font-size|color|transform)\s{0,10}:/i;

/** Calls back with every rule of a style sheet; `depth` counts the at-rules around it. */
function readRules(sheet: string, rule: (selectors: string, body: string, depth: number) => void): void {
  const css = withoutComments(sheet, '/*', '*/');
  let depth = 0;
  let from = 0;
  for (let at = 0, rules = 0; at < css.length && rules < maxRules; at += 1) {
    const sign = css.charAt(at);
    if (sign === ';' && depth === 0) from = at + 1;
    else if (sign === '}') {
      depth = Math.max(0, depth - 1);
      from = at + 1;
    } else if (sign === '{') {
      const selectors = css.slice(from, at).trim();
      from = at + 1;
      if (selectors.startsWith('@')) {
        depth += 1;
        continue;
      }
      const end = css.indexOf('}', at);
      rule(selectors, css.slice(at + 1, end === -1 ? css.length : end), depth);
      rules += 1;
      if (end === -1) return;
      at = end;
      from = end + 1;
    }
  }
}
