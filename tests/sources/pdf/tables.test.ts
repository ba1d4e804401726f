import { describe, expect, it } from 'vitest';
import { layOutTranscript } from '../../../src/domain/records/texts/document.ts';
import { readPdf } from '../../../src/sources/pdf/read-pdf.ts';
import { findGrids } from '../../../src/sources/pdf/tables/grids.ts';
import { gatherAligned } from '../../../src/sources/pdf/tables/aligned-tables.ts';
import type { Line } from '../../../src/sources/pdf/lines.ts';
import type { TextSegment } from '../../../src/sources/pdf/letters/join-runs.ts';
import { growthOf, maxGrowth } from '../../support/texts/growth.ts';
import { column, makePdf, type Piece, type Rule } from '../../support/texts/pdf.ts';

async function textOf(pieces: readonly Piece[], rules: readonly Rule[] = []): Promise<string> {
  const bytes = await makePdf([pieces], {}, rules);
  const task = { url: 'file:///papers/bees.pdf', password: null, ocr: false, progress: () => undefined };
  return layOutTranscript((await readPdf(bytes, task)).blocks).text;
}

const months = [
  ['Month', 'Hives', 'Honey'],
  ['May', '4', '12 kg'],
  ['June', '6', '31 kg'],
  ['July', '6', '40 kg'],
  ['August', '5', '18 kg'],
];
const monthsTable = [
  '| Month | Hives | Honey |',
  '| --- | --- | --- |',
  '| May | 4 | 12 kg |',
  '| June | 6 | 31 kg |',
  '| July | 6 | 40 kg |',
  '| August | 5 | 18 kg |',
].join('\n');

function placed(rows: readonly (readonly string[])[], xs: readonly number[], step: number): Piece[] {
  return rows.flatMap((row, i) =>
    row.flatMap((text, cell) => (text === '' ? [] : [{ text, x: (xs[cell] ?? 0) + 3, y: 100 + i * step }])),
  );
}

/** Lines around all cells of a table. */
function grid(xs: readonly number[], ys: readonly number[]): Rule[] {
  const [left = 0, right = 0, top = 0, bottom = 0] = [xs[0], xs.at(-1), ys[0], ys.at(-1)];
  return [...ys.map((y): Rule => [left, y, right, y]), ...xs.map((x): Rule => [x, top, x, bottom])];
}

const paragraph = [
  'The beekeeper opens the hive in the morning when the',
  'air is warm and still, and looks at every frame. Each',
  'one tells how the colony has fared since the last visit.',
];

describe('A table of a PDF', () => {
  it('without lines has its rows and columns, between paragraphs', async () => {
    const table = placed(months, [72, 222, 372], 14);
    expect(await textOf(table)).toBe(monthsTable);
    expect(await textOf([...column(paragraph, 72, 40), ...table, ...column(paragraph, 72, 200)])).toBe(
      `${paragraph.join(' ')}\n\n${monthsTable}\n\n${paragraph.join(' ')}`,
    );
  });

  it('has the cells of a row from left to right, in any order of the file', async () => {
    const rows = ['12.00 Ada Tester', '31.50 Bo Tester', '40.00 Cy Tester'].map((row) => row.split(/ (.*)/s));
    const pieces = rows.flatMap(([amount = '', name = ''], i) => [
      { text: amount, x: 400, y: 100 + i * 14 },
      { text: name, x: 72, y: 100 + i * 14 },
    ]);
    expect(await textOf(pieces)).toBe(
      '| Ada Tester | 12.00 |\n| --- | --- |\n| Bo Tester | 31.50 |\n| Cy Tester | 40.00 |',
    );
  });

  it('without lines has the lines of its longer cells, drawn cell by cell', async () => {
    const rows = [
      { what: ['Task'], who: 'Who', when: 'Month' },
      { what: ['Look at every frame of', 'the lower box'], who: 'Ada', when: 'May' },
      { what: ['Make the entrance', 'smaller against wasps', 'from the wood'], who: 'Bo', when: 'June' },
      { what: ['Feed them'], who: 'Cy', when: 'July' },
    ];
    let y = 100;
    const pieces = rows.flatMap(({ what, who, when }) => {
      const cells = [...column(what, 72, y), { text: who, x: 260, y }, { text: when, x: 400, y }];
      y += what.length * 12 + 8;
      return cells;
    });
    expect(await textOf(pieces)).toBe(
      [
        '| Task | Who | Month |',
        '| --- | --- | --- |',
        '| Look at every frame of the lower box | Ada | May |',
        '| Make the entrance smaller against wasps from the wood | Bo | June |',
        '| Feed them | Cy | July |',
      ].join('\n'),
    );
  });

  it('with lines has narrow, empty and multi-line cells, in any order of the file', async () => {
    const xs = [72, 112, 142, 182];
    const rows = [
      ['Month', 'Hives', 'Honey'],
      ['May', '', '12 kg'],
      ['June', '6', ''],
    ];
    const pieces = [...placed(rows, xs, 24), { text: 'late', x: 75, y: 159 }];
    const expected = '| Month | Hives | Honey |\n| --- | --- | --- |\n| May |  | 12 kg |\n| June late | 6 |  |';
    const rules = grid(xs, [88, 112, 136, 164]);
    expect(await textOf(pieces, rules)).toBe(expected);
    const byColumn = xs.flatMap((x) => pieces.filter((piece) => piece.x === x + 3));
    expect(await textOf(byColumn, rules)).toBe(expected);
  });

  it('with lines has spanning cells in place', async () => {
    const xs = [72, 150, 230, 310];
    const rows = [
      ['Year', 'Honey', ''],
      ['', 'Spring', 'Autumn'],
      ['2023', '12', '31'],
    ];
    // No line below "Year", none beside "Honey".
    const rules: Rule[] = [
      [72, 88, 310, 88],
      [150, 108, 310, 108],
      [72, 128, 310, 128],
      [72, 148, 310, 148],
      [72, 88, 72, 148],
      [150, 88, 150, 148],
      [230, 108, 230, 148],
      [310, 88, 310, 148],
    ];
    expect(await textOf(placed(rows, xs, 20), rules)).toBe(
      '| Year | Honey |  |\n| --- | --- | --- |\n|  | Spring | Autumn |\n| 2023 | 12 | 31 |',
    );
  });

  it('with only column lines has the rows that are beside each other', async () => {
    const xs = [72, 222, 322, 422];
    const rules: Rule[] = [
      [72, 88, 422, 88],
      [72, 106, 422, 106],
      [72, 164, 422, 164],
      [222, 88, 222, 164],
      [322, 88, 322, 164],
    ];
    expect(await textOf(placed(months, xs, 14), rules)).toBe(monthsTable);
  });

  it('is not prose in columns, framed text, or labels in a drawing', async () => {
    const frame = grid([60, 400], [80, 200]);
    expect(await textOf(column(paragraph, 72, 100), frame)).toBe(paragraph.join(' '));
    const labels = [
      ['x', 100, 100],
      ['A', 210, 100],
      ['B', 157, 121],
      ['y', 280, 121],
      ['C', 90, 139],
      ['D', 333, 139],
    ].map(([text, x, y]) => ({ text: String(text), x: Number(x), y: Number(y) }));
    expect(await textOf(labels)).not.toContain('|');
  });
});

describe('Malicious tables', () => {
  const segment = (x: number, y: number): TextSegment => ({
    text: 'a',
    x0: x,
    x1: x + 5,
    y,
    size: 10,
    font: 'f',
    isRightToLeft: false,
    turn: 0,
  });
  const line = (cells: TextSegment[], y: number): Line => ({
    text: 'a',
    page: 1,
    start: cells[0]?.x0 ?? 0,
    end: 0,
    y,
    size: 10,
    font: 'f',
    turn: 0,
    isRightToLeft: false,
    cells,
  });

  it('take time in proportion to their rows and to the cells of a row', () => {
    const rows = (size: number): Line[] =>
      Array.from({ length: size }, (_, i) =>
        line([segment((i % 7) * 9, i * 12), segment(200 + (i % 5) * 30, i * 12)], i * 12),
      );
    expect(growthOf(rows, gatherAligned, 2_000)).toBeLessThan(maxGrowth);
    const wide = (size: number): Line[] =>
      Array.from({ length: 4 }, (_, i) =>
        line(
          Array.from({ length: size }, (__, x) => segment(x * 20, i * 12)),
          i * 12,
        ),
      );
    expect(growthOf(wide, gatherAligned, 2_000)).toBeLessThan(maxGrowth);
  });

  it('are given up when they have too many lines', () => {
    const many = Array.from({ length: 3_000 }, (_, i) => ({ at: i * 10, from: 0, to: 30_000 }));
    expect(findGrids({ horizontal: many, vertical: many })).toEqual([]);
  });
});
