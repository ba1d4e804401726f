import { strToU8 } from 'fflate';
import { afterAll, describe, expect, it } from 'vitest';
import { layOutTranscript, type Document } from '../../../src/domain/records/texts/document.ts';
import { alone, documentOf, openReaders, original } from '../../support/texts/reading.ts';
import { makeDocx, paragraph } from '../../support/texts/office-files.ts';
import { rows } from '../../support/texts/rows.ts';

const readers = openReaders();
afterAll(() => readers.close());

const read = async (body: string, parts: Record<string, string> = {}): Promise<Document> => {
  const extra = Object.fromEntries(Object.entries(parts).map(([name, xml]) => [`word/${name}`, strToU8(xml)]));
  return documentOf(await readers.read(original(makeDocx(body, extra)), alone()));
};
const textOf = (document: Document): string => layOutTranscript(document.blocks).text;
const textFrom = async (body: string, parts: Record<string, string> = {}): Promise<string> =>
  textOf(await read(body, parts));

const run = (text: string, properties = ''): string =>
  `<w:r>${properties === '' ? '' : `<w:rPr>${properties}</w:rPr>`}<w:t xml:space="preserve">${text}</w:t></w:r>`;
const p = (content: string, properties = ''): string => `<w:p><w:pPr>${properties}</w:pPr>${content}</w:p>`;
const math = (content: string): string => p(`<m:oMath>${content}</m:oMath>`);
const symbol = (text: string, style = ''): string => `<m:r>${style}<m:t>${text}</m:t></m:r>`;
const e = (text: string, name = 'e'): string => `<m:${name}>${symbol(text)}</m:${name}>`;
const field = (code: string, result: string, inside = ''): string =>
  `<w:r><w:fldChar w:fldCharType="begin">${inside}</w:fldChar></w:r><w:r><w:instrText> ${code} </w:instrText></w:r><w:r><w:fldChar w:fldCharType="separate"/></w:r>${result}<w:r><w:fldChar w:fldCharType="end"/></w:r>`;

describe('A formula in a Word document', () => {
  it.each(
    rows(String.raw`
      a fraction :: ${symbol('E=')}<m:f>${e('m', 'num')}${e('2', 'den')}</m:f> :: $E = \frac{m}{2}$
      powers and indices :: <m:sSup>${e('x')}${e('2', 'sup')}</m:sSup>${symbol('+')}<m:sSubSup>${e('a')}${e('i', 'sub')}${e('k', 'sup')}</m:sSubSup> :: $x^{2}+a_{i}^{k}$
      a root :: <m:rad><m:radPr><m:degHide m:val="1"/></m:radPr><m:deg/>${e('x')}</m:rad><m:rad>${e('3', 'deg')}${e('y')}</m:rad> :: $\sqrt{x}\sqrt[3]{y}$
      a sum :: <m:nary><m:naryPr><m:chr m:val="∑"/></m:naryPr>${e('i', 'sub')}${e('n', 'sup')}${e('x')}</m:nary> :: $\sum_{i}^{n}x$
      brackets and a function :: <m:func><m:fName>${symbol('sin')}</m:fName><m:e><m:d>${e('α')}</m:d></m:e></m:func> :: $\sin(\alpha)$
      a matrix :: <m:m><m:mr>${e('a')}${e('b')}</m:mr><m:mr>${e('c')}${e('d')}</m:mr></m:m> :: $\begin{matrix}a & b \\ c & d\end{matrix}$
      an accent and words :: <m:acc><m:accPr><m:chr m:val="⃗"/></m:accPr>${e('v')}</m:acc>${symbol('if cold', '<m:rPr><m:nor/></m:rPr>')} :: $\vec{v}\text{if cold}$
    `),
  )('is LaTeX: %s', async (_name, content, latex) => {
    expect(await textFrom(math(content))).toBe(latex);
  });

  it('keeps its symbols where it is too large', async () => {
    const deep = `${'<m:e><m:sSup>'.repeat(140)}${symbol('x')}${'</m:sSup></m:e>'.repeat(140)}`;
    expect(await textFrom(math(deep) + paragraph('The text goes on.'))).toMatch(/x\n\nThe text goes on\.$/);
    const wide = symbol('x').repeat(20_000);
    expect(await textFrom(math(wide) + paragraph('The text goes on.'))).toMatch(/^x{20000}\n\nThe text goes on\.$/);
  });
});

describe('A Word document', () => {
  it('has the results of its fields, in every form', async () => {
    const body =
      p(
        `${run('Table ')}<w:fldSimple w:instr=" SEQ Table "><w:r><w:t>3</w:t></w:r></w:fldSimple>${run(', see ')}${field('HYPERLINK "https://lamp.example/a"', run('the page'))}${run('.')}`,
      ) +
      p(
        `${run('Size: ')}${field('FORMDROPDOWN', '', '<w:ffData><w:ddList><w:result w:val="1"/><w:listEntry w:val="small"/><w:listEntry w:val="large"/></w:ddList></w:ffData>')}`,
      ) +
      p(
        `${field(`IF ${field('MERGEFIELD A', run('hidden operand'))} = 1`, run('Dear Mr Reed'))}${run(', the bill is due.')}`,
      );
    expect(await textFrom(body)).toBe(
      'Table 3, see [the page](https://lamp.example/a).\n\nSize: large\n\nDear Mr Reed, the bill is due.',
    );
  });

  it('loses at most a paragraph to an unclosed field', async () => {
    const begun = '<w:r><w:fldChar w:fldCharType="begin"/></w:r>';
    expect(await textFrom(p(begun + run('code')) + paragraph('The text goes on.'))).toBe('The text goes on.');
  });

  it.each([
    ['heading 2', 'Überschrift2'],
    ['标题 2', 'a3'],
    ['見出し 2', 'x'],
    ['Заголовок 2', 'y'],
    ['Título 2', 'z'],
  ])("has a heading by the name of its style, or of the style's base: %s", async (name, id) => {
    const styles = `<w:styles><w:style w:type="paragraph" w:styleId="${id}"><w:name w:val="${name}"/></w:style><w:style w:type="paragraph" w:styleId="own"><w:name w:val="My own"/><w:basedOn w:val="${id}"/></w:style></w:styles>`;
    const body = paragraph('First', id) + paragraph('Second', 'own') + p(run('Third'), '<w:outlineLvl w:val="3"/>');
    expect(await textFrom(body, { 'styles.xml': styles })).toBe('## First\n\n## Second\n\n#### Third');
  });

  it('is numbered as in Word', async () => {
    const level = (at: number, format: string, text: string, more = ''): string =>
      `<w:lvl w:ilvl="${at}"><w:start w:val="1"/><w:numFmt w:val="${format}"/>${more}<w:lvlText w:val="${text}"/></w:lvl>`;
    const numbering = `<w:numbering><w:abstractNum w:abstractNumId="0">${level(0, 'upperRoman', '%1.', '<w:pStyle w:val="Heading1"/>')}${level(1, 'decimal', '%1.%2', '<w:isLgl/>')}</w:abstractNum><w:abstractNum w:abstractNumId="1">${level(0, 'decimal', '%1.')}${level(1, 'lowerLetter', '(%2)')}</w:abstractNum><w:num w:numId="1"><w:abstractNumId w:val="0"/></w:num><w:num w:numId="2"><w:abstractNumId w:val="1"/></w:num><w:num w:numId="3"><w:abstractNumId w:val="1"/><w:lvlOverride w:ilvl="0"><w:startOverride w:val="7"/></w:lvlOverride></w:num></w:numbering>`;
    const styles =
      '<w:styles><w:style w:styleId="Heading1"><w:name w:val="heading 1"/><w:pPr><w:numPr><w:numId w:val="1"/></w:numPr></w:pPr></w:style></w:styles>';
    const item = (text: string, id: number, depth = 0): string =>
      p(run(text), `<w:numPr><w:ilvl w:val="${depth}"/><w:numId w:val="${id}"/></w:numPr>`);
    const body =
      paragraph('Oil', 'Heading1') +
      item('Section', 1, 1) +
      paragraph('Wick', 'Heading1') +
      item('Section', 1, 1) +
      item('one', 2) +
      item('deeper', 2, 1) +
      item('and', 2, 1) +
      paragraph('Between.') +
      item('two', 2) +
      item('seven', 3) +
      item('eight', 3);
    expect(await textFrom(body, { 'numbering.xml': numbering, 'styles.xml': styles })).toBe(
      '# I. Oil\n\n- 1.1 Section\n\n# II. Wick\n\n- 2.1 Section\n\n1. one\n   - (a) deeper\n   - (b) and\n\nBetween.\n\n2. two\n\n7. seven\n8. eight',
    );
  });

  it('has its check boxes with their state', async () => {
    const box = (value: number): string =>
      `<w:sdt><w:sdtPr><w14:checkbox><w14:checked w14:val="${value}"/></w14:checkbox></w:sdtPr><w:sdtContent><w:r><w:t>?</w:t></w:r></w:sdtContent></w:sdt>`;
    const old = field(
      'FORMCHECKBOX',
      '',
      '<w:ffData><w:checkBox><w:default w:val="0"/><w:checked/></w:checkBox></w:ffData>',
    );
    expect(
      await textFrom(
        p(box(1) + run(' Oil')) + p(box(0) + run(' Wick')) + p(old + run(' Lens')) + p(run('In a sentence ') + box(1)),
      ),
    ).toBe('- [x] Oil\n- [ ] Wick\n- [x] Lens\n\nIn a sentence ☒');
  });

  it('omits what Word does not show, and says so', async () => {
    const styles =
      '<w:styles><w:style w:type="character" w:styleId="secret"><w:rPr><w:vanish/></w:rPr></w:style><w:style w:type="paragraph" w:styleId="gone"><w:rPr><w:vanish/></w:rPr></w:style></w:styles>';
    const body =
      p(
        run('hidden', '<w:vanish/>') +
          run('tiny', '<w:sz w:val="2"/>') +
          run('styled', '<w:rStyle w:val="secret"/>') +
          run('Visible.', '<w:vanish w:val="0"/>'),
      ) +
      paragraph('Whole paragraph', 'gone') +
      p(`<w:del><w:r><w:delText>twelve</w:delText></w:r></w:del><w:ins>${run('twenty')}</w:ins>${run(' months')}`);
    const document = await read(body, { 'styles.xml': styles });
    expect(textOf(document)).toBe('Visible.\n\ntwenty months');
    expect(document.warnings).toEqual([
      { code: 'hidden_text', message: '31 characters of hidden text, which Word does not show, were left out.' },
    ]);
  });

  it('keeps drop caps with their words, texts of boxes and pictures, notes and comments', async () => {
    const drop = p(run('T'), '<w:framePr w:dropCap="drop"/>');
    const boxed = `<w:r><mc:AlternateContent><mc:Choice Requires="wps"><w:drawing><wp:docPr descr="Two boats"/><w:txbxContent>${paragraph('In the box.')}</w:txbxContent></w:drawing></mc:Choice><mc:Fallback><w:pict><w:txbxContent>${paragraph('In the box.')}</w:txbxContent></w:pict></mc:Fallback></mc:AlternateContent></w:r>`;
    const marks = `${run('A note')}<w:r><w:footnoteReference w:id="2"/></w:r>${run(', a price')}<w:r><w:commentReference w:id="0"/></w:r>`;
    const text = await textFrom(drop + p(run('he keeper climbed.')) + p(run('See ') + boxed) + p(marks), {
      'footnotes.xml': `<w:footnotes><w:footnote w:id="0" w:type="separator">${paragraph('-')}</w:footnote><w:footnote w:id="2">${paragraph('In the ledger.')}</w:footnote></w:footnotes>`,
      'comments.xml': `<w:comments><w:comment w:id="0" w:author="Ada">${paragraph('Fifty.')}</w:comment></w:comments>`,
    });
    expect(text).toBe(
      'The keeper climbed.\n\nSee (Picture: Two boats)\n\nIn the box.\n\nA note[^1], a price[^2]\n\n[^1]: In the ledger.\n\n[^2]: Ada: Fifty.',
    );
  });

  it('keeps a table that contains a table', async () => {
    const cell = (content: string, span = ''): string => `<w:tc><w:tcPr>${span}</w:tcPr>${content}</w:tc>`;
    const row = (...cells: string[]): string => `<w:tr>${cells.join('')}</w:tr>`;
    const inner = `<w:tbl>${row(cell(paragraph('1')), cell(paragraph('2')))}</w:tbl>`;
    const body = `<w:tbl>${row(cell(paragraph('a') + inner + paragraph('z')), cell(paragraph('b')))}${row(cell(paragraph('wide'), '<w:gridSpan w:val="2"/>'))}</w:tbl>`;
    expect(await textFrom(body)).toBe('| a 1 · 2 z | b |\n| --- | --- |\n| wide |  |');
  });

  it('names the parts with text that are not read', async () => {
    const words = 'The harbour board of the northern light, founded in the year of the lens';
    const { warnings } = await read(paragraph('Dear Mr Reed'), {
      'header1.xml': `<w:hdr>${paragraph(words)}</w:hdr>`,
      'footer1.xml': `<w:ftr>${paragraph('Page 3')}</w:ftr>`,
      'embeddings/sheet.xlsx': 'x',
    });
    expect(warnings).toEqual([
      {
        code: 'parts_not_read',
        message:
          'Not read in this document: headers and footers (15 words), embedded files (1). Save them as a separate file, or the document as a PDF, to keep their text.',
      },
    ]);
  });

  it('limits the depth of lists', async () => {
    const numbering =
      '<w:numbering><w:abstractNum w:abstractNumId="0"><w:lvl w:ilvl="0"><w:numFmt w:val="bullet"/></w:lvl></w:abstractNum><w:num w:numId="1"><w:abstractNumId w:val="0"/></w:num></w:numbering>';
    const style = (depth: number): string =>
      `<w:style w:styleId="s${-depth}"><w:pPr><w:outlineLvl w:val="99"/><w:numPr><w:ilvl w:val="${depth}"/><w:numId w:val="1"/></w:numPr></w:pPr></w:style>`;
    const parts = { 'numbering.xml': numbering, 'styles.xml': `<w:styles>${style(-1)}${style(-2)}</w:styles>` };
    const body = paragraph('one', 's1') + paragraph('two', 's2') + p(run('Title'), '<w:outlineLvl w:val="-5"/>');
    expect(await textFrom(body, parts)).toBe('- one\n- two\n\n# Title');
  });

  it('omits only the text of a hidden run', async () => {
    const box = (text: string): string => `<w:drawing><w:txbxContent>${paragraph(text)}</w:txbxContent></w:drawing>`;
    const styles =
      '<w:styles><w:style w:styleId="child"><w:basedOn w:val="base"/></w:style><w:style w:styleId="base"><w:rPr><w:vanish/></w:rPr></w:style></w:styles>';
    const hidden = '<w:rPr><w:vanish/></w:rPr>';
    const body =
      p(`<w:r>${hidden}${box('secret')}<w:t>after</w:t></w:r>${run('based', '<w:rStyle w:val="child"/>')}`) +
      p(`<w:r>${hidden}<w:t>gone</w:t></w:r><m:oMath>${symbol('x')}${symbol('yy', hidden)}</m:oMath>`) +
      p(`<w:sdt><w:sdtPr>${hidden}</w:sdtPr><w:sdtContent>${run('Shown.')}</w:sdtContent></w:sdt>`) +
      p(`<w:r><w:t>Seen </w:t>${box('In the box.')}<w:t>too</w:t></w:r>`);
    const document = await read(body, { 'styles.xml': styles });
    expect(textOf(document)).toBe('$x$\n\nShown.\n\nSeen too\n\nIn the box.');
    expect(document.warnings).toMatchObject([{ message: expect.stringMatching(/^22 characters/) }]);
  });

  it('has the first readable alternative, and only one', async () => {
    const choose = (...requires: string[]): string =>
      p(
        `<mc:AlternateContent>${requires.map((one) => `<mc:Choice Requires="${one}">${run(one)}</mc:Choice>`).join('')}<mc:Fallback>${run('fallback')}</mc:Fallback></mc:AlternateContent>`,
      );
    const body = choose('strange') + choose('strange', 'wps w14', 'wpg');
    expect(await textFrom(body)).toBe('fallback\n\nwps w14');
  });

  it('has accents of any name', async () => {
    const accent = `<m:acc><m:accPr><m:chr m:val="constructor"/></m:accPr>${e('v')}</m:acc>`;
    expect(await textFrom(math(accent) + paragraph('The text goes on.'))).toMatch(/v.*\n\nThe text goes on\.$/);
  });

  it('keeps check boxes around paragraphs and cells, and cells of any width', async () => {
    const box = (value: number, content: string): string =>
      `<w:sdt><w:sdtPr><w14:checkbox><w14:checked w14:val="${value}"/></w14:checkbox></w:sdtPr><w:sdtContent>${content}</w:sdtContent></w:sdt>`;
    const cell = (text: string, span = 1): string =>
      `<w:tc><w:tcPr><w:gridSpan w:val="${span}"/></w:tcPr>${paragraph(text)}</w:tc>`;
    const body = `<w:tbl><w:tr>${box(1, cell('☒'))}${cell('Oil', 0)}</w:tr><w:tr><w:tc>${box(0, paragraph('☐'))}</w:tc>${cell('Wick', -3)}</w:tr></w:tbl>`;
    expect(await textFrom(body)).toBe('| ☒ | Oil |\n| --- | --- |\n| ☐ | Wick |');
  });

  it('has the notes that its text refers to, numbered in order', async () => {
    const mark = (kind: string, id: number, properties = ''): string =>
      `<w:r><w:rPr>${properties}</w:rPr><w:${kind}Reference w:id="${id}"/></w:r>`;
    const note = (kind: string, id: number, text: string): string =>
      `<w:${kind} w:id="${id}">${paragraph(text)}</w:${kind}>`;
    const body = p(
      `${run('A')}${mark('footnote', 1, '<w:vanish/>')}${mark('comment', 5)}${run(' b')}${mark('footnote', 2)}${run(' c')}${mark('endnote', 1)}`,
    );
    const text = await textFrom(body, {
      'footnotes.xml': `<w:footnotes>${note('footnote', 1, 'Hidden.')}${note('footnote', 2, 'Foot.')}</w:footnotes>`,
      'endnotes.xml': `<w:endnotes>${note('endnote', 1, 'End.')}</w:endnotes>`,
      'comments.xml': `<w:comments>${note('comment', 4, 'Loose.')}${note('comment', 5, 'Said.')}</w:comments>`,
    });
    expect(text).toBe('A[^3] b[^1] c[^2]\n\n[^1]: Foot.\n\n[^2]: End.\n\n[^3]: Said.');
  });

  it('names its damaged parts', async () => {
    const file = makeDocx(p(`${run('A')}<w:r><w:footnoteReference w:id="1"/></w:r>`), {
      'word/footnotes.xml': strToU8(
        `<w:footnotes><w:footnote w:id="1">${paragraph('Foot.')}</w:footnote></w:footnotes>`,
      ),
    });
    const bytes = Buffer.from(file);
    // The name is in the list at the end for the second time, after the checksum.
    bytes.writeUInt32LE(1, bytes.lastIndexOf('word/footnotes.xml') - 30);
    const { warnings } = documentOf(await readers.read(original(bytes), alone()));
    expect(warnings).toEqual([
      {
        code: 'damaged',
        message: 'Damaged, so not read: word/footnotes.xml. Download or save this document again to keep them.',
      },
    ]);
  });

  it('that is malicious has its text, or fails with a reason', async () => {
    const fields = '<w:r><w:fldChar w:fldCharType="begin"/></w:r>'.repeat(300_000);
    expect(await textFrom(p(fields) + paragraph('The text goes on.'))).toBe('The text goes on.');
    const simple = '<w:fldSimple w:instr="PAGE"><w:r><w:t>1 </w:t></w:r></w:fldSimple>'.repeat(300_000);
    expect((await textFrom(p(simple))).length).toBeGreaterThan(599_000);
    const nested = '<w:tbl><w:tr><w:tc>'.repeat(400) + paragraph('deep');
    await expect(read(paragraph('Before.') + nested)).resolves.toMatchObject({ warnings: [{ code: 'damaged' }] });
  });
});
