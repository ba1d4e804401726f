import type TurndownService from 'turndown';
import type { DomNode } from '../html/dom-node.ts';

/*
 * Keeps superscripts and subscripts apart from the text: 10<sup>6</sup> is not 106, and a note's number is not part of
 * the word before it. Digits become Unicode superscripts and subscripts. Letters (5th, 1ère) stay as they are.
 */

const signs = '0123456789+-−–=()';
const raised = '⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻⁻⁻⁼⁽⁾';
const lowered = '₀₁₂₃₄₅₆₇₈₉₊₋₋₋₌₍₎';
const raisedLetters = { n: 'ⁿ', i: 'ⁱ' };

const places = new Map<string, ReadonlyMap<string, string>>([
  [
    'SUP',
    new Map([...[...signs].map((sign, at) => [sign, raised[at] ?? sign] as const), ...Object.entries(raisedLetters)]),
  ],
  ['SUB', new Map([...signs].map((sign, at) => [sign, lowered[at] ?? sign] as const))],
]);
/** Longer ones are ordinary text, only set as superscript or subscript. */
const maxSigns = 12;

export function addSuperscripts(turndown: TurndownService): void {
  turndown.addRule('superscripts', {
    filter: (node: DomNode) => places.has(node.nodeName),
    replacement: (content: string, node: DomNode) => {
      const text = (node.textContent ?? '').trim();
      const known = places.get(node.nodeName);
      if (content.includes('[^') || known === undefined || text.length > maxSigns || !/\d|^[ni]$/.test(text))
        return content;
      const signsOf = [...text.replaceAll(/\s/gu, '')].map((sign) => known.get(sign));
      if (signsOf.includes(undefined)) return content;
      // A superscript may be a link to a note. Keep its address.
      const link = /^\s*\[[^\]]*\](\(\S*\))\s*$/.exec(content);
      return link === null ? signsOf.join('') : `[${signsOf.join('')}]${link[1]}`;
    },
  });
}
