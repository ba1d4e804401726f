import { describe, expect, it } from 'vitest';
import { layOutTranscript } from '../../../src/domain/records/texts/document.ts';
import { readPdf } from '../../../src/sources/pdf/read-pdf.ts';
import { glyphPdf, type GlyphRow } from '../../support/texts/pdf.ts';

async function textOf(...rows: readonly GlyphRow[]): Promise<string> {
  const { blocks } = await readPdf(glyphPdf(rows), {
    url: 'file:///texts.pdf',
    password: null,
    ocr: false,
    progress: () => undefined,
  });
  return layOutTranscript(blocks).text;
}

/** As it stands on the page, from the left; letters in brackets are one glyph. */
function drawn(text: string): string[] {
  return (text.match(/\[[^\]]+\]|./gu) ?? []).map((glyph) => glyph.replaceAll(/[[\]]/g, '')).toReversed();
}

const row = (glyphs: readonly string[], x = 72, y = 100): GlyphRow => ({ glyphs, x, y });

describe('A right-to-left PDF', () => {
  it('has its letters in reading order', async () => {
    expect(await textOf(row(drawn('הדבורים יוצאות בבוקר')))).toBe('הדבורים יוצאות בבוקר');
    expect(await textOf(row(drawn('النحل يعود في المساء')))).toBe('النحل يعود في المساء');
  });

  it('has the letters of a ligature in order, and similar letters unchanged', async () => {
    // Lam and alef are one glyph in the second word only.
    expect(await textOf(row(drawn('الماء و[لا] مال و[لا]د السلا')))).toBe('الماء ولا مال ولاد السلا');
  });

  it('has letters in place of presentation forms', async () => {
    // The forms of "salam": seen, the ligature of lam and alef, meem.
    expect(await textOf(row(drawn('ﺳﻼﻡ ﻭﻛﻼﻡ')))).toBe('سلام وكلام');
  });

  it('has a non-joiner in Persian words after a letter in its final form', async () => {
    const glyphs = drawn('ﺧﺎﻧﻪﻫﺎ ﺧﺎﻧﻪ ﻫﻤﻪ ﻫﻨﻮﺯ');
    expect(await textOf(row(glyphs))).toBe('خانه\u200cها خانه همه هنوز');
    // A font without forms has one glyph for each letter.
    expect(await textOf(row(drawn('خانهها خانه همه هنوز')))).toBe('خانهها خانه همه هنوز');
  });

  it('has words that a program put into one glyph', async () => {
    const words = 'هذه فقرة عربية';
    const others = Array.from({ length: 12 }, (_, i) => String.fromCodePoint(0x250 + i));
    expect(await textOf(row([...others, words]))).toBe(words);
  });

  it('keeps numbers and foreign words from left to right', async () => {
    expect(await textOf(row(['2', '0', '2', '5', ' ', ...drawn('בשנת')]))).toBe('בשנת 2025');
    const pieces = [row(drawn('מאת')), row([...'Ada'], 40), row([...'Tester'], 58)].map((one, i) => ({
      ...one,
      x: [95, 40, 58][i] ?? 0,
    }));
    expect(await textOf(...pieces)).toBe('מאת Ada Tester');
  });

  it('keeps mostly Latin lines in the direction of their page', async () => {
    const lines = ['הכוורן כותב את היומן שלו כל יום', 'ושולח אותו בבוקר אל'].map((one, i) =>
      row(drawn(one), 72, 100 + i * 12),
    );
    const mixed = row([...'.', ...drawn('בבוקר'), ...' keeper-of-bees@example.com'], 72, 124);
    expect(await textOf(...lines, mixed)).toContain('keeper-of-bees@example.com בבוקר.');
  });

  it('has brackets in reading order, in any order of the file', async () => {
    expect(await textOf(row([')', ...drawn('הכוורת'), '(', ' ', ...drawn('הבית')]))).toBe('הבית (הכוורת)');
    expect(await textOf(row(['(', ...drawn('הכוורת'), ')', ' ', ...drawn('הבית')]))).toBe('הבית (הכוורת)');
  });

  it('is read from the right column to the left one', async () => {
    const lines = (words: string[], x: number): GlyphRow[] => words.map((one, i) => row(drawn(one), x, 100 + i * 12));
    const right = ['הדבורים יוצאות אל הגג כאשר השמש', 'עולה מעל העיר ואז הן חוזרות אל', 'הכוורת עם הערב ונחות עד מחר'];
    const left = ['בסתיו הפתח קטן יותר כדי שצרעות', 'לא יגנבו את הדבש של הכוורת וגם', 'הקור נשאר בחוץ עד שיבוא אביב'];
    const across = lines(right, 330).flatMap((one, i) => [lines(left, 60)[i] as GlyphRow, one]);
    for (const rows of [[...lines(right, 330), ...lines(left, 60)], across])
      expect((await textOf(...rows)).replaceAll('\n\n', ' ')).toBe([...right, ...left].join(' '));
  });
});
