import { afterAll, describe, expect, it } from 'vitest';
import { layOutTranscript, type Document } from '../../../src/domain/records/texts/document.ts';
import { alone, documentOf, openReaders, original } from '../../support/texts/reading.ts';

const readers = openReaders();
afterAll(() => readers.close());

const read = async (xml: string): Promise<Document> =>
  documentOf(await readers.read(original(xml, { url: 'file:///a.xml' }), alone()));
const textOf = (document: Document): string => layOutTranscript(document.blocks).text;

describe('An article in XML', () => {
  it('of a publisher (JATS) has its text and metadata', async () => {
    const document = await read(
      '<article xml:lang="en" xmlns:xlink="x" xmlns:mml="y"><front><journal-meta><journal-title>Lamp Letters</journal-title></journal-meta><article-meta><title-group><article-title>Oil in <italic>lamps</italic></article-title></title-group><contrib-group><contrib contrib-type="author"><name><surname>Marsh</surname><given-names>Ada</given-names></name><xref ref-type="aff">1</xref></contrib><contrib contrib-type="editor"><name><surname>Reed</surname><given-names>Tom</given-names></name></contrib></contrib-group><aff>Harbour Board</aff><pub-date><day>3</day><month>2</month><year>2020</year></pub-date><abstract><p>It burns.</p></abstract></article-meta></front>' +
        '<body><sec><label>1.</label><title>Results</title><p>We <bold>saw</bold> <ext-link xlink:href="https://a.example/">that</ext-link>: <inline-formula><mml:math><mml:mi>E</mml:mi><mml:mo>=</mml:mo><mml:mi>m</mml:mi></mml:math></inline-formula>.</p><list list-type="order"><list-item><p>one</p></list-item><list-item><p>two</p></list-item></list><table-wrap><label>Table 1</label><caption><title>Oil</title></caption><table><tr><th>Year</th><th>Oil</th></tr><tr><td>1871</td><td>40</td></tr></table></table-wrap><sec><title>More</title><p>End.</p></sec></sec></body>' +
        '<back><ref-list><title>References</title><ref><label>1</label><element-citation><person-group><name><surname>Dent</surname><given-names>C</given-names></name></person-group><year>1901</year></element-citation></ref></ref-list></back></article>',
    );
    expect(document).toMatchObject({
      contentType: 'article',
      title: 'Oil in lamps',
      author: 'Ada Marsh',
      siteName: 'Lamp Letters',
      publishedAt: '2020-02-03T00:00:00.000Z',
    });
    expect(textOf(document)).toBe(
      '# Oil in lamps\n\n## Abstract\n\nIt burns.\n\n## 1. Results\n\nWe **saw** [that](https://a.example/): $E=m$.\n\n1. one\n2. two\n\nTable 1\n\n**Oil**\n\n| Year | Oil |\n| --- | --- |\n| 1871 | 40 |\n\n### More\n\nEnd.\n\n## References\n\n1 Dent C 1901',
    );
  });

  it('has formulas that are written only in TeX, and source numbers separate from the previous word', async () => {
    const document = await read(
      '<article><front><article-meta></article-meta></front><body><sec><title>A</title><p>We burn oil<xref ref-type="bibr">2</xref> (<xref ref-type="bibr">Dent, 1901</xref>) of <inline-formula><tex-math>a_1</tex-math></inline-formula>.</p><disp-formula><tex-math>E=mc^2</tex-math></disp-formula><p><inline-formula><alternatives><tex-math>never</tex-math><mml:math><mml:mi>E</mml:mi></mml:math></alternatives></inline-formula> is <inline-formula><alternatives><inline-graphic/><tex-math>\\documentclass{minimal}\\begin{document}$$b^2$$\\end{document}</tex-math></alternatives></inline-formula>.</p><table-wrap><alternatives><graphic/><table><tr><td>x</td><td><inline-formula><alternatives><tex-math>c_1</tex-math></alternatives></inline-formula></td></tr></table></alternatives></table-wrap></sec></body></article>',
    );
    expect(textOf(document)).toBe(
      '## A\n\nWe burn oil² (Dent, 1901) of $a_1$.\n\n$$E=mc^2$$\n\n$E$ is $b^2$.\n\n| x | $c_1$ |\n| --- | --- |',
    );
  });

  it('has no stray marks where emphasis contains a displayed formula', async () => {
    const document = await read(
      '<article><front><article-meta></article-meta></front><body><sec><title>A</title><p>Here <italic>we say <disp-formula><tex-math>x^2</tex-math></disp-formula> and <bold>after</bold></italic> it goes on.</p></sec></body></article>',
    );
    expect(textOf(document)).toBe('## A\n\nHere we say\n\n$$x^2$$\n\nand **after** it goes on.');
  });

  it('of an edition (TEI) has its corrected text, verse and notes', async () => {
    const document = await read(
      '<TEI xmlns="http://www.tei-c.org/ns/1.0"><teiHeader><fileDesc><titleStmt><title>The ledger</title><author>Ada Marsh</author></titleStmt><publicationStmt><date when="1901"/></publicationStmt></fileDesc></teiHeader><text><body><div><head>May</head><p>The <choice><sic>lmap</sic><corr>lamp</corr></choice> went out<note>At two.</note>.</p><lg><l>One line</l><l>and another</l></lg></div></body></text></TEI>',
    );
    expect(document).toMatchObject({ title: 'The ledger', author: 'Ada Marsh' });
    expect(textOf(document)).toBe(
      '# The ledger\n\n## May\n\nThe lamp went out[^1].\n\nOne line  \nand another\n\n[^1]: At two.',
    );
  });

  it('of a manual (DocBook) has its code, lists and admonitions', async () => {
    const document = await read(
      '<?xml version="1.0"?><article xmlns="http://docbook.org/ns/docbook" xmlns:xlink="x"><info><title>Lamps</title><author><personname><firstname>Ada</firstname><surname>Marsh</surname></personname></author></info><section><title>Lighting</title><para>Run <command>light</command><footnote><para>At night.</para></footnote>.</para><programlisting>light --on\n  now</programlisting><itemizedlist><listitem><para>oil</para></listitem></itemizedlist><note><para>Not by day.</para></note></section></article>',
    );
    expect(document).toMatchObject({ title: 'Lamps', author: 'Ada Marsh' });
    expect(textOf(document)).toBe(
      '# Lamps\n\n## Lighting\n\nRun `light`[^1].\n\n```\nlight --on\n  now\n```\n\n- oil\n\n> Not by day.\n\n[^1]: At night.',
    );
  });

  it('has formula numbers after formulas, headings from section metadata, and translated abstracts', async () => {
    const formula = await read(
      '<article><front><article-meta><title-group><article-title>Oil</article-title></title-group><trans-abstract><title>Zusammenfassung</title><p>Es brennt.</p></trans-abstract></article-meta></front><body><sec><title>Burning</title><p>So:</p><disp-formula><label>(1)</label><math><mi>E</mi></math></disp-formula><p>Then.</p></sec></body></article>',
    );
    expect(textOf(formula)).toMatch(
      /^# Oil\n\n## Zusammenfassung\n\nEs brennt\.\n\n## Burning\n\nSo:\n\n\$+E\$+ \(1\)\n\nThen\.$/,
    );
    const manual = await read(
      '<article xmlns="http://docbook.org/ns/docbook"><info><title>Lamps</title></info><section><info><title>Oil</title><date>1901</date></info><para>It burns.</para></section><section><sectioninfo><title>Wick</title></sectioninfo><para>It glows.</para></section></article>',
    );
    expect(manual.title).toBe('Lamps');
    expect(textOf(manual)).toBe('# Lamps\n\n## Oil\n\nIt burns.\n\n## Wick\n\nIt glows.');
  });

  it('of another kind is data, with or without a declaration', async () => {
    for (const start of ['<?xml version="1.0"?>', '']) {
      await expect(read(`${start}<order id="1"><item>Oil</item></order>`)).rejects.toMatchObject({
        code: 'unsupported_type',
      });
    }
    expect(textOf(await read('<Tom> is the lamp lit?\n<Ada> since two.'))).toContain('is the lamp lit?');
  });

  it('that is nested too deeply has the text before that, and says so', async () => {
    const deep = `<article><article-meta><article-title>A</article-title></article-meta><body><sec><p>Before.</p>${'<sec>'.repeat(2_000)}<p>Deep.</p></sec></body></article>`;
    const document = await read(deep);
    expect(textOf(document)).toContain('Before.');
    expect(document.warnings).toMatchObject([{ code: 'damaged' }]);
  });
});
