import { expect, it } from 'vitest';
import { layOutTranscript } from '../../../src/domain/records/document.ts';
import { readPdf } from '../../../src/sources/pdf/read-pdf.ts';
import { makePdf, type Piece } from '../../support/pdf.ts';

const task = { url: 'file:///hives.pdf', password: null, ocr: false, progress: () => undefined };

async function textOf(pages: readonly (readonly Piece[])[]): Promise<string> {
  return layOutTranscript((await readPdf(await makePdf(pages), task)).blocks).text;
}

const names = ['first', 'second', 'third', 'fourth', 'fifth', 'sixth', 'seventh'];
const prose = names.map((name) => `The ${name} page has a line of its own that says which of them it is.`);

it('The title of a section of one page goes where the titles of longer ones are headers', async () => {
  const sections = ['The hive', 'The hive', 'The hive', 'Winter', 'Spring swarms', 'Honey', 'Wax and propolis'];
  for (const y of [40, 760]) {
    const pages = prose.map((text, i) => [
      { text: sections[i] ?? '', x: 72, y },
      { text, x: 72, y: 400 },
    ]);
    expect(await textOf(pages)).toBe(prose.join('\n\n'));
  }
});

it('The titles of slides stay, also where some are continued', async () => {
  const titles = ['The hive', 'The hive', 'The hive', 'Winter', 'Spring swarms', 'Honey', 'Wax'];
  const pages = prose.map((text, i) => [
    { text: titles[i] ?? '', x: 72, y: 60, size: 24 },
    { text, x: 72, y: 300, size: 14 },
  ]);
  const text = await textOf(pages);
  for (const title of titles.slice(3)) expect(text).toContain(title);
});

it('The first lines of pages stay where none of them repeats', async () => {
  const first = names.map((name) => `What was seen on the ${name} day`);
  const pages = prose.map((text, i) => [
    { text: first[i] ?? '', x: 72, y: 60 },
    { text, x: 72, y: 400 },
    { text: `${i + 1}`, x: 300, y: 760 },
  ]);
  const text = await textOf(pages);
  for (const line of first) expect(text).toContain(line);
});
