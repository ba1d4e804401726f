import { expect, it } from 'vitest';
import { layOutTranscript } from '../../../src/domain/records/texts/document.ts';
import { readPdf } from '../../../src/sources/pdf/read-pdf.ts';
import { glyphPdf, type GlyphRow } from '../../support/texts/pdf.ts';

/** Each glyph is 5 points wide. */
const glyphWidth = 5;

/** A line in which a letter after a bar is drawn back over the accent before it, as TeX draws them. */
function line(text: string, y: number): GlyphRow[] {
  let x = 72;
  return text.split('|').map((part) => {
    const row = { glyphs: [...part], x, y };
    x += (part.length - 1) * glyphWidth;
    return row;
  });
}

async function textOf(...lines: string[]): Promise<string> {
  const bytes = glyphPdf(lines.flatMap((text, i) => line(text, 100 + i * 12)));
  const task = { url: 'file:///notes.pdf', password: null, ocr: false, progress: () => undefined };
  return layOutTranscript((await readPdf(bytes, task)).blocks).text;
}

it.each([
  ['Schr¨|odinger and Poincar´|e met in the caf´|e', 'Schrödinger and Poincaré met in the café'],
  ['fran¸|cais, voil`|a, Erd˝|os, Dvoˇ|r´|ak, na¨|ıve', 'français, voilà, Erdős, Dvořák, naïve'],
  ['die ¨|Anderung `|a la carte', 'die Änderung à la carte'],
])('An accent and the letter under it are one letter: %s', async (drawn, read) => {
  expect(await textOf(drawn)).toBe(read);
});

it('A sign beside a letter, or over one that takes no such accent, stays separate', async () => {
  expect(await textOf('the sign ´ and then e')).toBe('the sign ´ and then e');
  expect(await textOf('say `echo` here')).toContain('`echo`');
  expect(await textOf('a mark ¨|q on q')).toContain('¨');
});
