import { describe, expect, it } from 'vitest';
import { layOutTranscript, type Document } from '../../../src/domain/records/texts/document.ts';
import { readPdf } from '../../../src/sources/pdf/read-pdf.ts';
import { rawPdf } from '../../support/texts/pdf.ts';

const read = (bytes: Uint8Array): Promise<Document> =>
  readPdf(bytes, { url: 'file:///form.pdf', password: null, ocr: false, progress: () => undefined });
const textOf = (document: Document): string => layOutTranscript(document.blocks).text;

/** A page with these texts at x and y, and annotations. */
const page = (content: string, annotations: string[] = [], catalog = '', resources = ''): Uint8Array =>
  rawPdf([
    `<</Type/Catalog/Pages 2 0 R/AcroForm<</Fields[${annotations.map((_, i) => `${i + 6} 0 R`).join(' ')}]>>${catalog}>>`,
    '<</Type/Pages/Kids[3 0 R]/Count 1>>',
    `<</Type/Page/Parent 2 0 R/MediaBox[0 0 600 800]/Resources<</Font<</F1 5 0 R>>${resources}>>/Contents 4 0 R/Annots[${annotations.map((_, i) => `${i + 6} 0 R`).join(' ')}]>>`,
    `<</Length ${content.length}>>\nstream\n${content}\nendstream`,
    '<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>',
    ...annotations,
  ]);
const text = (words: string, x: number, y: number, more = ''): string =>
  `BT /F1 11 Tf ${more} ${x} ${y} Td (${words}) Tj ET\n`;
const field = (kind: string, name: string, y: number, more: string, x = 200): string =>
  `<</Type/Annot/Subtype/Widget/FT/${kind}/T(${name})/F 4/Rect[${x} ${y} ${x + 200} ${y + 16}]/DA(/F1 11 Tf)${more}>>`;
const button = (name: string, y: number, value: string): string =>
  field('Btn', name, y, `/V/${value}/AS/${value}/AP<</N<</Yes 4 0 R/Off 4 0 R>>>>`);
const note = (kind: string, contents: string, more = ''): string =>
  `<</Type/Annot/Subtype/${kind}/Contents(${contents})/F 4/Rect[400 300 500 320]${more}>>`;

describe('A form in a PDF', () => {
  const labels = ['Name of the keeper:', 'Tower:', 'Oil needed:', 'Wick needed:']
    .map((label, i) => text(label, 50, 740 - i * 30))
    .join('');

  it('has its values beside their labels', async () => {
    const document = await read(
      page(labels, [
        field('Tx', 'name', 738, '/V(Tom Reed)'),
        field('Ch', 'tower', 708, '/Ff 131072/Opt[[(n)(Northern light)][(s)(South light)]]/V(n)'),
        button('oil', 678, 'Yes'),
        button('wick', 648, 'Off'),
        field('Tx', 'secret', 600, '/Ff 8192/V(password)'),
      ]),
    );
    const words = textOf(document).replaceAll(/[|\s]+/g, ' ');
    expect(words).toContain('Name of the keeper: Tom Reed');
    expect(words).toContain('Tower: Northern light');
    expect(words).toContain('Oil needed: [x]');
    expect(words).toContain('Wick needed: [ ]');
    expect(words).not.toContain('password');
  });

  it('has no boxes where nothing is filled in, and consists of its values without other text', async () => {
    expect(textOf(await read(page(labels, [button('oil', 678, 'Off'), field('Tx', 'name', 738, '')])))).not.toContain(
      '[',
    );
    expect(textOf(await read(page('', [field('Tx', 'name', 738, '/V(The lamp has cracked.)')])))).toBe(
      'The lamp has cracked.',
    );
  });

  it('has a value below its label, line by line', async () => {
    const document = await read(
      page(text('Reason', 200, 762) + text('Signed in the harbour.', 50, 600), [
        field('Tx', 'reason', 738, String.raw`/Ff 4096/V(The lamp has cracked\nin the frost.)`),
      ]),
    );
    expect(textOf(document)).toMatch(/^Reason\s+The lamp has cracked\s+in the frost\.\s+Signed in the harbour\.$/);
  });

  it('with very many fields is read', async () => {
    const fields = Array.from({ length: 4_000 }, (_, i) => field('Tx', `f${i}`, 738, '/V(x)'));
    expect(textOf(await read(page(labels, fields)))).toContain('Name of the keeper:');
  });
});

describe('Notes in a PDF', () => {
  it('come after the text of their page, with their author, except for hidden ones', async () => {
    const document = await read(
      page(text('A survey of the tower.', 50, 740), [
        note('FreeText', 'Measured again', '/DA(/F1 11 Tf)'),
        note('Highlight', 'Ask Ada about # this', '/T(Tom)/QuadPoints[50 756 200 756 50 740 200 740]'),
        note('Underline', 'the tower', '/QuadPoints[50 756 200 756 50 740 200 740]'),
        note('Text', 'Hidden words', '').replace('/F 4', '/F 2'),
      ]),
    );
    expect(textOf(document)).toBe(
      'A survey of the tower.\n\nNote: Measured again\n\nNote by Tom: Ask Ada about # this',
    );
    expect(document.blocks.at(-1)?.locator).toEqual({ kind: 'page', page: 1 });
  });

  it('typed beside a label are placed there', async () => {
    const typed = note('FreeText', 'Tom Reed', '/DA(/F1 11 Tf)').replace('400 300 500 320', '110 736 300 752');
    expect(textOf(await read(page(text('Name:', 50, 740), [typed])))).toBe('Name: Tom Reed');
  });
});

describe('A page of a PDF', () => {
  it('omits layers that are turned off, and says so', async () => {
    const layers = '/OCProperties<</OCGs[6 0 R 7 0 R]/D<</OFF[7 0 R]>>>>';
    const content = `/OC /On BDC ${text('Shown words.', 50, 740)}EMC /OC /Off BDC ${text('Hidden words.', 50, 700)}EMC ${text('Plain words.', 50, 660)}`;
    const groups = ['<</Type/OCG/Name(on)>>', '<</Type/OCG/Name(off)>>'];
    const objects = page(content, groups, layers, '/Properties<</On 6 0 R/Off 7 0 R>>');
    const document = await read(objects);
    expect(textOf(document)).toBe('Shown words.\n\nPlain words.');
    expect(document.warnings).toEqual([
      { code: 'hidden_text', message: '13 characters on layers that are turned off were left out.' },
    ]);
  });

  it('distinguishes layers with text from those of pictures and forms, and says where it cannot', async () => {
    const layers = '/OCProperties<</OCGs[6 0 R 7 0 R]/D<</OFF[7 0 R]>>>>';
    const picture =
      '<</Type/XObject/Subtype/Image/Width 2/Height 2/BitsPerComponent 8/ColorSpace/DeviceGray/OC 6 0 R/Length 4>>\nstream\nabcd\nendstream';
    const drawn = text('Words of a form.', 50, 620);
    const form = (more: string): string =>
      `<</Type/XObject/Subtype/Form/BBox[0 0 600 800]/Resources<</Font<</F1 5 0 R>>>>${more}/Length ${drawn.length}>>\nstream\n${drawn}\nendstream`;
    const group = '/Group<</S/Transparency>>';
    const groups = ['<</Type/OCG/Name(on)>>', '<</Type/OCG/Name(off)>>'];
    const readWith = (content: string, more: string): Promise<Document> =>
      read(
        page(
          content,
          [...groups, picture, form(more)],
          layers,
          '/Properties<</On 6 0 R/Off 7 0 R>>/XObject<</P 8 0 R/X 9 0 R>>',
        ),
      );
    const words = `/OC /Off BDC ${text('Hidden words.', 50, 740)}EMC /OC /On BDC ${text('Shown words.', 50, 700)}EMC `;
    expect(textOf(await readWith(`/P Do /X Do ${words}`, `/OC 6 0 R${group}`))).toBe(
      'Words of a form.\n\nShown words.',
    );
    expect(textOf(await readWith(`/OC /Off BDC /X Do EMC ${words}`, group))).toBe('Shown words.');
    const unsure = [
      {
        code: 'hidden_text',
        message:
          'Page 1 may have text on layers that are turned off: which text that is could not be told, so it was kept.',
      },
    ];
    const mixed = await readWith(`/P Do /OC /On BDC /X Do EMC ${words}`, '');
    expect(textOf(mixed)).toContain('Hidden words.');
    expect(mixed.warnings).toEqual(unsure);
    expect((await readWith(`/X Do ${text('Plain words.', 50, 740)}`, '/OC 7 0 R')).warnings).toEqual(unsure);
  });

  it('has words whose letters are widely spaced, but keeps an alphabet', async () => {
    const content = text('THE LAMP', 50, 740, '6 Tc') + text('A B C D E F', 50, 600, '0 Tc');
    expect(textOf(await read(page(content)))).toMatch(/THE LAMP\s+A B C D E F/);
  });

  it('keeps the hyphens of addresses and of words that have one', async () => {
    const lines = [
      'The well-',
      'known captain lives at https://lamp.example/very-',
      'long/path with twenty-',
      'two har-',
      'bour pilots.',
    ];
    const content = lines.map((line, i) => text(line, 50, 740 - i * 13)).join('');
    const words = textOf(await read(page(content))).replaceAll('\n', ' ');
    expect(words).toBe(
      'The well-known captain lives at https://lamp.example/very-long/path with twenty-two harbour pilots.',
    );
  });
});
