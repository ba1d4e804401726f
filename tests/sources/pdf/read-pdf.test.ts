import { describe, expect, it } from 'vitest';
import { layOutTranscript, type Document } from '../../../src/domain/records/texts/document.ts';
import { readPdf } from '../../../src/sources/pdf/read-pdf.ts';
import { column, makePdf, rawPdf, type Piece } from '../../support/texts/pdf.ts';

const read = (bytes: Uint8Array, password: string | null = null): Promise<Document> =>
  readPdf(bytes, { url: 'file:///papers/bees.pdf', password, ocr: false, progress: () => undefined });
const textOf = (document: Document): string => layOutTranscript(document.blocks).text;

const left = [
  'The beekeeper opens the hive in the morning when the',
  'air is warm and still, and looks at every frame. Each',
  'one tells how the colony has fared since the last visit.',
  'Where the brood is scattered, something is wrong with',
  'the queen, and she must be found before the evening.',
];
const right = [
  'In autumn the entrance is made smaller so that wasps',
  'do not rob the stores. Sugar is given in the evening and',
  'never by day, since the smell of it draws strangers from',
  'far away. By the first frost all work on the roof ends',
  'and the bees are left alone until the willows bloom.',
];
const bothColumns = `${left.join(' ')}\n\n${right.join(' ')}`;

it.each(['(anonymous)', '(unspecified)', 'Untitled-1', 'Slide 12', 'Microsoft Office User', 'user1'])(
  'A PDF has no title or author where both are %j',
  async (nothing) => {
    const body = [[{ text: 'Bees on the roof', x: 72, y: 80, size: 20 }, ...column(left, 72, 150)]];
    const document = await read(await makePdf(body, { title: nothing, author: nothing }));
    expect([document.title, document.author]).toEqual(['Bees on the roof', null]);
  },
);

it('A PDF keeps a title that only begins like a placeholder', async () => {
  const document = await read(
    await makePdf([column(left, 72, 150)], { title: 'Print in the age of bees', author: 'A. Root' }),
  );
  expect([document.title, document.author]).toEqual(['Print in the age of bees', 'A. Root']);
});

describe('The text of a PDF', () => {
  it('has headings by size, paragraphs of lines, whole words, lists, and the page of every block', async () => {
    const document = await read(
      await makePdf(
        [
          [
            { text: 'Bees on the roof', x: 72, y: 80, size: 20 },
            { text: 'What it must carry', x: 72, y: 120, size: 14 },
            ...column(
              [
                'A full hive weighs as much as a person, and the build-',
                'ing below must bear twenty of them. Rain-proof covers',
                'add little to that, and rain-proof they must be.',
              ],
              72,
              150,
            ),
            ...column(['• Ask an engineer first.', '• DocumentFrequency one hive in June.'], 72, 210),
          ],
          [{ text: 'The second year', x: 72, y: 80, size: 14 }, ...column(left, 72, 110)],
        ],
        { title: 'Microsoft Word - bees-final.doc', author: 'Marta Holm' },
      ),
    );
    expect(document).toMatchObject({
      contentType: 'pdf',
      title: 'Bees on the roof',
      author: 'Marta Holm',
      publishedAt: '2024-03-05T10:15:00.000Z',
      language: 'en',
      pageCount: 2,
      warnings: [],
    });
    expect(document.blocks.map(({ kind, level, text, locator }) => [kind, level, text, locator])).toEqual([
      ['heading', 1, '# Bees on the roof', { kind: 'page', page: 1 }],
      ['heading', 2, '## What it must carry', { kind: 'page', page: 1 }],
      [
        'paragraph',
        undefined,
        'A full hive weighs as much as a person, and the building below must bear twenty of them. Rain-proof covers add little to that, and rain-proof they must be.',
        { kind: 'page', page: 1 },
      ],
      ['list', undefined, '- Ask an engineer first.\n- DocumentFrequency one hive in June.', { kind: 'page', page: 1 }],
      ['heading', 2, '## The second year', { kind: 'page', page: 2 }],
      ['paragraph', undefined, left.join(' '), { kind: 'page', page: 2 }],
    ]);
  });

  it('is read column by column, in any order of the file', async () => {
    const [one, two] = [column(left, 50, 100), column(right, 320, 100)];
    const across = one.flatMap((piece, i) => [piece, two[i] as Piece]);
    for (const pieces of [[...one, ...two], [...two, ...one], across])
      expect(textOf(await read(await makePdf([pieces])))).toBe(bothColumns);
  });

  it('has a table of contents line by line, without dot leaders', async () => {
    const dots = ' .'.repeat(40);
    const text = textOf(
      await read(
        await makePdf([column([`1 The hive${dots} 2`, `1.1 The queen${dots} 14`, `Index${dots} xi`], 72, 100)]),
      ),
    );
    expect(text).toBe('1 The hive … 2\n1.1 The queen … 14\nIndex … xi');
  });

  it('treats large labels, and a heading continued by its sentence, as text', async () => {
    const labels = ['Name', 'Street', 'Town'].map((text, i) => ({ text, x: 72, y: 80 + i * 40, size: 14 }));
    const prose = [
      { text: '2.4. Winter feed. Sugar is given in the', x: 72, y: 300, bold: true },
      ...column(['evening and never by day, since the smell of it draws', 'strangers from far away.'], 72, 312),
    ];
    const { blocks } = await read(await makePdf([[...labels, ...prose, ...column([...left, ...right], 72, 400)]]));
    expect(blocks.filter(({ kind }) => kind === 'heading')).toEqual([]);
    expect(blocks.map(({ text }) => text)).toContain(
      '2.4. Winter feed. Sugar is given in the evening and never by day, since the smell of it draws strangers from far away.',
    );
  });

  it('joins addresses, numbers and open list items across line ends', async () => {
    const lines = [
      'Ask for the rules of the year 2018 at the office, or read them at https://',
      'www.example.org/rules, which is the same; the number of the file is 2018–',
      '23–51, and whoever has a question writes a letter to the keeper, rules@',
      'example.org, before the end of the month.',
    ];
    expect(textOf(await read(await makePdf([column(lines, 72, 100)])))).toBe(
      'Ask for the rules of the year 2018 at the office, or read them at https://www.example.org/rules, which is the same; the number of the file is 2018–23–51, and whoever has a question writes a letter to the keeper, rules@example.org, before the end of the month.',
    );
    const item = [
      { text: '• By letter: to the office of the keepers, on the first floor of the', x: 90, y: 100 },
      { text: 'old dairy, which is open in the morning.', x: 72, y: 112 },
    ];
    expect(textOf(await read(await makePdf([item])))).toBe(
      '- By letter: to the office of the keepers, on the first floor of the old dairy, which is open in the morning.',
    );
  });

  it('loses headers, footers and page numbers, but no text of short documents', async () => {
    const words = ['first', 'second', 'third', 'fourth'];
    const pages = words.map((word, i) => [
      { text: 'Proceedings of the Beekeepers', x: 72, y: 40 },
      ...column([`On the ${word} page there is a line of its own that says so.`, 'It ends here.'], 72, 90),
      { text: `Page ${i + 1} of 4`, x: 280, y: 760 },
    ]);
    const text = textOf(await read(await makePdf(pages)));
    expect(text).toBe(
      words.map((word) => `On the ${word} page there is a line of its own that says so. It ends here.`).join('\n\n'),
    );
    expect(textOf(await read(await makePdf(pages.slice(0, 1))))).toContain('Proceedings of the Beekeepers');
  });

  it.each([
    ['a chapter', (i: number) => `${i + 12} · Chapter ${i < 2 ? 3 : 4}`],
    ['the number of pages', (i: number) => `Report on the hives, page ${i + 1} of 4`],
    ['the date of printing', (i: number) => `Printed on 12/03/2026 at 9:41, p. ${i + 1}`],
    ['Roman numerals', (i: number) => `Preface · ${['ix', 'x', 'xi', 'xii'][i]}`],
    ['the pages of a spread', (i: number) => `${2 * i + 12} The hive in winter ${2 * i + 13}`],
  ])('loses headers and footers with a page number and %s', async (_, running) => {
    const words = ['first', 'second', 'third', 'fourth'];
    const prose = words.map((word) => `On the ${word} page there is a line of its own that says so.`);
    for (const y of [40, 760]) {
      const pages = prose.map((text, i) => [
        { text: running(i), x: 72, y },
        { text, x: 72, y: 400 },
      ]);
      expect(textOf(await read(await makePdf(pages)))).toBe(prose.join('\n\n'));
    }
  });

  it('loses rows with page counts in two pages, but no numbered titles', async () => {
    const pages = ['first', 'second'].map((word, i) => [
      { text: `Report on the hives, page ${i + 1}`, x: 72, y: 40 },
      { text: `Results of the second spring, part ${i + 1}`, x: 72, y: 65 },
      { text: `Step ${i + 1}`, x: 72, y: 90 },
      { text: `On the ${word} page there is a line of its own that says so.`, x: 72, y: 400 },
    ]);
    const text = textOf(await read(await makePdf(pages)));
    expect(text).not.toContain('Report');
    expect(text).toContain('Step 1');
    expect(text).toContain('Step 2');
    expect(text).toContain('spring, part 2');
  });

  it('keeps page notes that differ only in numbers', async () => {
    const notes = ['box 1, folio 4', 'box 4, folio 7', 'box 7, folio 10', 'box 7, folio 2'].map(
      (place, i) => `${i + 1}. See the harbour archive, ${place}.`,
    );
    const pages = notes.map((text, i) => [
      ...column(left, 72, 600),
      { text, x: 72, y: 720, size: 8 },
      { text: `${i + 1}`, x: 300, y: 760 },
    ]);
    const { blocks } = await read(await makePdf(pages));
    expect(blocks.map(({ text }) => text)).toEqual(notes.flatMap((note) => [left.join(' '), note]));
  });

  it('loses stamps along its side and line numbers', async () => {
    const stamp = { text: 'Received in March', x: 30, y: 400, turn: 90 };
    const numbers = left.map((_, i) => ({ text: `${i + 11}`, x: 36, y: 100 + i * 12, size: 7 }));
    const lines = column(left, 72, 100);
    const numbered = lines.flatMap((line, i) => [numbers[i] as Piece, line]);
    for (const pieces of [[stamp, ...lines], [...numbers, ...lines], numbered])
      expect(textOf(await read(await makePdf([pieces])))).toBe(left.join(' '));
  });

  it('is read once where it is overprinted to look bold', async () => {
    const lines = column(left, 72, 100);
    const again = lines.map((line) => ({ ...line, x: line.x + 0.4 }));
    for (const pieces of [lines.flatMap((line, i) => [line, again[i] as Piece]), [...lines, ...again]])
      expect(textOf(await read(await makePdf([pieces])))).toBe(left.join(' '));
    const letters = [...'all'].map((text, i) => ({ text, x: 72 + i * 2.8, y: 100 }));
    expect(textOf(await read(await makePdf([letters])))).toBe('all');
  });

  it('is one paragraph at any line spacing', async () => {
    for (const leading of [24, 36]) {
      const lines = left.map((text, i) => ({ text, x: 72, y: 100 + i * leading }));
      expect(textOf(await read(await makePdf([lines])))).toBe(left.join(' '));
    }
  });

  it('has slide bullets before their texts, also separately drawn ones, and nested items', async () => {
    const items = ['They fly', 'to the flowers', 'to the river', 'They rest'];
    const texts = items.map((text, i) => ({ text, x: i === 1 || i === 2 ? 130 : 100, y: 100 + i * 40, size: 24 }));
    const bullets = texts.map(({ x, y }) => ({ text: '•', x: x - 20, y, size: 24 }));
    expect(textOf(await read(await makePdf([[...texts, ...bullets]])))).toBe(
      '- They fly\n  - to the flowers\n  - to the river\n- They rest',
    );
    // Fonts of symbols have letters where they show bullets.
    const letters = bullets.map((piece) => ({ ...piece, text: 'n', bold: true }));
    expect(textOf(await read(await makePdf([letters.flatMap((one, i) => [one, texts[i] as Piece])])))).toBe(
      '- They fly\n  - to the flowers\n  - to the river\n- They rest',
    );
  });

  it('continues across a page end with a note in between', async () => {
    const pages = [
      [...column(left.slice(0, 4), 72, 600), { text: '1 A note in small type.', x: 72, y: 720, size: 7 }],
      column(left.slice(4), 72, 80),
    ];
    const { blocks } = await read(await makePdf(pages));
    expect(blocks.map(({ text }) => text)).toEqual([left.join(' '), '1 A note in small type.']);
  });

  it('continues after a note to the end of its paragraph, then with the next one', async () => {
    const note = { text: '1 A note in small type.', x: 72, y: 720, size: 7 };
    const pages = [
      [...column(left.slice(0, 2), 72, 600), note],
      [...column(left.slice(2), 72, 80), ...column(right, 72, 80 + 12 * 5)],
    ];
    const { blocks } = await read(await makePdf(pages));
    expect(blocks.map(({ text }) => text)).toEqual([left.join(' '), note.text, right.join(' ')]);
    const columns = [
      [...column(left.slice(0, 2), 50, 600), note, ...column(left.slice(2), 320, 80), ...column(right, 320, 160)],
    ];
    const acrossColumns = await read(await makePdf(columns));
    expect(acrossColumns.blocks.map(({ text }) => text)).toEqual([left.join(' '), note.text, right.join(' ')]);
  });

  it('that is rotated comes after the rest, each part in its own order', async () => {
    const label = { text: 'Weight in March', x: 90, y: 400, turn: 90 };
    expect(textOf(await read(await makePdf([[label, ...column(left, 72, 100)]])))).toBe(
      `${left.join(' ')}\n\nWeight in March`,
    );
    const turned = left.map((text, i) => ({ text, x: 100 + i * 12, y: 600, turn: 90 }));
    expect(textOf(await read(await makePdf([turned])))).toBe(left.join(' '));
  });

  it('marks footnotes after words and exponents after letters', async () => {
    const pieces = [
      { text: 'The roof of the old dairy', x: 72, y: 100 },
      { text: '12', x: 174, y: 96, size: 6 },
      { text: 'Its area is 40 m', x: 72, y: 140 },
      { text: '2', x: 137, y: 136, size: 6 },
    ];
    expect(textOf(await read(await makePdf([pieces])))).toBe('The roof of the old dairy[^12]\n\nIts area is 40 m²');
  });

  it('becomes no Markdown by accident', async () => {
    const { blocks } = await read(await makePdf([[{ text: '# 3 is a number, and <b> a tag', x: 72, y: 100 }]]));
    expect(blocks[0]?.text).toBe('\\# 3 is a number, and \\<b> a tag');
  });
});

describe('A PDF', () => {
  it('is read after junk, without its cross-reference table, and without its end', async () => {
    const bytes = await makePdf([column(left, 72, 100), column(right, 72, 100)]);
    const junk = new Uint8Array([...Buffer.from('HTTP/1.1 200 OK\r\n'.repeat(200)), ...bytes]);
    expect(textOf(await read(junk))).toContain(left.join(' '));
    const plain = Buffer.from(bytes).toString('latin1');
    const withoutXref = Buffer.from(plain.slice(0, plain.lastIndexOf('xref\n0')), 'latin1');
    expect(textOf(await read(new Uint8Array(withoutXref)))).toContain(right.join(' '));
    // The page tree and the catalog are gone, one page is left.
    const pieces = column(left, 72, 100)
      .map(({ text, y }) => `BT /F1 10 Tf 72 ${792 - y} Td (${text}) Tj ET`)
      .join('\n');
    const font = '<</Type/Font/Subtype/Type1/BaseFont/Times-Roman>>';
    const cut = rawPdf([
      `<</Type/Page/Parent 9 0 R/MediaBox[0 0 612 792]/Resources<</Font<</F1 2 0 R>>>>/Contents 3 0 R>>`,
      font,
      `<</Length ${pieces.length}>>\nstream\n${pieces}\nendstream`,
    ]);
    const document = await read(cut.subarray(0, cut.length - 40));
    expect(textOf(document)).toBe(left.join(' '));
    expect(document.warnings.map(({ code }) => code)).toEqual(['damaged']);
  });

  it.each([
    [
      'nothing on its page',
      rawPdf([
        '<</Type/Catalog/Pages 2 0 R>>',
        '<</Type/Pages/Kids[3 0 R]/Count 1>>',
        '<</Type/Page/Parent 2 0 R/MediaBox[0 0 100 100]>>',
      ]),
      'empty',
    ],
    [
      'a picture for a page',
      rawPdf([
        '<</Type/Catalog/Pages 2 0 R>>',
        '<</Type/Pages/Kids[3 0 R]/Count 1>>',
        '<</Type/Page/Parent 2 0 R/MediaBox[0 0 100 100]/Resources<</XObject<</I 5 0 R>>>>/Contents 4 0 R>>',
        '<</Length 26>>\nstream\nq 99 0 0 99 0 0 cm /I Do Q\nendstream',
        '<</Type/XObject/Subtype/Image/Width 2/Height 2/BitsPerComponent 8/ColorSpace/DeviceGray/Length 4>>\nstream\nabcd\nendstream',
      ]),
      'scanned',
    ],
    ['no pages', rawPdf(['<</Type/Catalog/Pages 2 0 R>>', '<</Type/Pages/Kids[]/Count 0>>']), 'extraction_failed'],
    [
      'pages that lead in a circle',
      rawPdf(['<</Type/Catalog/Pages 2 0 R>>', '<</Type/Pages/Kids[2 0 R]/Count 1>>']),
      'extraction_failed',
    ],
    ['nothing but its mark', new Uint8Array(Buffer.from('%PDF-1.7\n')), 'extraction_failed'],
  ])('with %s fails with its reason', async (_name, bytes, code) => {
    await expect(read(bytes)).rejects.toMatchObject({ name: 'ProcessingError', code, retryable: false });
  });

  it('keeps the text of pages that have it and names those without', async () => {
    const objects = [
      '<</Type/Catalog/Pages 2 0 R>>',
      '<</Type/Pages/Kids[3 0 R 4 0 R]/Count 2>>',
      '<</Type/Page/Parent 2 0 R/MediaBox[0 0 400 400]/Resources<</Font<</F1 7 0 R>>>>/Contents 5 0 R>>',
      '<</Type/Page/Parent 2 0 R/MediaBox[0 0 400 400]/Resources<</XObject<</I 8 0 R>>>>/Contents 6 0 R>>',
      '<</Length 48>>\nstream\nBT /F1 12 Tf 40 300 Td (Only one has text.) Tj ET\nendstream',
      '<</Length 26>>\nstream\nq 99 0 0 99 0 0 cm /I Do Q\nendstream',
      '<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>',
      '<</Type/XObject/Subtype/Image/Width 2/Height 2/BitsPerComponent 8/ColorSpace/DeviceGray/Length 4>>\nstream\nabcd\nendstream',
    ];
    const document = await read(rawPdf(objects));
    expect(textOf(document)).toBe('Only one has text.');
    expect(document.warnings).toEqual([
      expect.objectContaining({
        code: 'pages_without_text',
        message: expect.stringContaining('Page 2 of 2') as string,
      }),
    ]);
  });

  it('that claims millions of pages has the existing ones', async () => {
    const document = await read(
      rawPdf([
        '<</Type/Catalog/Pages 2 0 R>>',
        '<</Type/Pages/Kids[3 0 R]/Count 2147483647>>',
        '<</Type/Page/Parent 2 0 R/MediaBox[0 0 400 400]/Resources<</Font<</F1 5 0 R>>>>/Contents 4 0 R>>',
        '<</Length 44>>\nstream\nBT /F1 12 Tf 40 300 Td (One page only.) Tj ET\nendstream',
        '<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>',
      ]),
    );
    expect(document).toMatchObject({ pageCount: 1, warnings: [] });
  });
});
