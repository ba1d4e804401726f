import type TurndownService from 'turndown';
import type { DomNode } from '../html/dom-node.ts';

const formats: Readonly<Record<string, string>> = {
  a: 'lowerLetter',
  A: 'upperLetter',
  i: 'lowerRoman',
  I: 'upperRoman',
  'lower-alpha': 'lowerLetter',
  'lower-latin': 'lowerLetter',
  'upper-alpha': 'upperLetter',
  'upper-latin': 'upperLetter',
  'lower-roman': 'lowerRoman',
  'upper-roman': 'upperRoman',
};
const heading = /^\s*(?:!\[[^\]\n]*\]\(\S*\)\s*)?#{1,6} /;

/** Writes list items with the numbers that a browser shows. An item with a heading becomes a part of the text. */
export function addItemRule(turndown: TurndownService): void {
  const numberOf = createNumbers();
  const formatsOf = new WeakMap<DomNode, string | undefined>();
  const formatOf = (list: DomNode): string | undefined => {
    if (!formatsOf.has(list)) formatsOf.set(list, readFormat(list));
    return formatsOf.get(list);
  };
  turndown.addRule('item', {
    filter: 'li',
    replacement: (content: string, node: DomNode) => {
      const list = node.parentNode;
      const text = content
        .replace(/^\n+/, '')
        .replace(/^\[[ x]\] +/, (box) => `${box.trimEnd()} `)
        .trimEnd();
      if (text === '') return '';
      if (heading.test(text)) return `\n\n${text}\n\n`;
      const number = list?.nodeName === 'OL' ? numberOf(node, list) : null;
      const format = list === null ? undefined : formatOf(list);
      // Letters are no marks of Markdown: they are part of the text.
      const letters = number === null || format === undefined ? '' : `${spelledNumber(number, format)}. `;
      // Turndown pads list markers to four columns. People do not write that, and a quotation would show it.
      const mark = number === null || number < 0 || letters !== '' ? '- ' : `${number}. `;
      return `${mark}${letters}${text.replaceAll('\n', `\n${' '.repeat(mark.length)}`)}\n`;
    },
  });
}

/** In characters. */
const maxStyle = 2_000;

/** How a list writes its numbers; undefined for digits. */
function readFormat(list: DomNode): string | undefined {
  const css = (list.getAttribute('style') ?? '').slice(0, maxStyle);
  const style = /list-style(?:-type)?\s*:\s*([a-z-]{1,30})/i.exec(css)?.[1];
  return formats[style?.toLowerCase() ?? list.getAttribute('type') ?? ''];
}

/** The numbers of items. When called in document order, it walks back only to the previous item. */
function createNumbers(): (item: DomNode, list: DomNode) => number {
  const last = new WeakMap<DomNode, { item: DomNode; number: number }>();
  const wholeNumber = (node: DomNode, name: string): number | null => {
    const number = Number.parseInt(node.getAttribute(name) ?? '', 10);
    return Number.isSafeInteger(number) ? number : null;
  };
  return (item, list) => {
    const isReversed = typeof list.getAttribute('reversed') === 'string';
    const known = last.get(list);
    let number = wholeNumber(item, 'value');
    let steps = 0;
    for (let at = item.previousSibling; number === null && at !== null; at = at.previousSibling) {
      if (at.nodeName !== 'LI') continue;
      steps += 1;
      const before = at === known?.item ? known.number : wholeNumber(at, 'value');
      if (before !== null) number = before + (isReversed ? -steps : steps);
    }
    if (number === null) {
      const first = wholeNumber(list, 'start') ?? (isReversed ? countItems(list) : 1);
      number = first + (isReversed ? -steps : steps);
    }
    last.set(list, { item, number });
    return number;
  };
}

function countItems(list: DomNode): number {
  let count = 0;
  for (let at = list.firstChild; at !== null; at = at.nextSibling) if (at.nodeName === 'LI') count += 1;
  return count;
}

const romanDigits = '1000m 900cm 500d 400cd 100c 90xc 50l 40xl 10x 9ix 5v 4iv 1i'.split(' ').map((digit) => {
  const value = Number.parseInt(digit, 10);
  return { value, letters: digit.slice(`${value}`.length) };
});

/** Writes a number in one of Word's number formats. Formats of other scripts are written with digits. */
export function spelledNumber(number: number, format: string): string {
  if (format === 'none' || format === 'bullet') return '';
  if (format === 'decimalZero') return String(number).padStart(2, '0');
  if (format.endsWith('Letter') && number >= 1 && number <= 780) {
    // After z comes aa, then bb.
    const letters = String.fromCodePoint(97 + ((number - 1) % 26)).repeat(Math.ceil(number / 26));
    return format.startsWith('upper') ? letters.toUpperCase() : letters;
  }
  if (format.endsWith('Roman') && number >= 1 && number < 4_000) {
    let left = number;
    let text = '';
    for (const { value, letters } of romanDigits) for (; left >= value; left -= value) text += letters;
    return format.startsWith('upper') ? text.toUpperCase() : text;
  }
  return String(number);
}
