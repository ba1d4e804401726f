import { describe, expect, it } from 'vitest';
import { layOutTranscript } from '../../../src/domain/records/texts/document.ts';
import { plainText } from '../../../src/domain/text/plain-text.ts';
import { extractPage } from '../../../src/sources/page/extract-page.ts';
import { rows } from '../../support/texts/rows.ts';

const prose = 'The ferry leaves the old harbour at seven in the morning and comes back with the evening tide. '
  .repeat(6)
  .trim();

/** The Markdown of what stands between two paragraphs of a page, without its heading. */
async function read(body: string, address = 'https://ferry.example/times'): Promise<string> {
  const page = `<!doctype html><html><body><article><h1>Ferry times</h1><p>${prose}</p>${body}<p>${prose}</p></article></body></html>`;
  const { blocks } = await extractPage(page, address);
  return layOutTranscript(blocks).text.replace('# Ferry times', '').replaceAll(prose, '').trim();
}
const around = (formula: string): string => `<p>The tide is ${formula} high, as everybody on the island knows.</p>`;
const inline = (latex: string): string => `The tide is $${latex}$ high, as everybody on the island knows.`;

describe('A formula', () => {
  it.each(
    rows(String.raw`
    a fraction :: <mfrac><mi>a</mi><msup><mi>b</mi><mn>2</mn></msup></mfrac> :: \frac{a}{b^{2}}
    a root :: <msqrt><mi>x</mi><mo>+</mo><mn>1</mn></msqrt> :: \sqrt{x+1}
    a sum :: <munderover><mo>∑</mo><mrow><mi>i</mi><mo>=</mo><mn>0</mn></mrow><mi>n</mi></munderover><msub><mi>x</mi><mi>i</mi></msub> :: \sum_{i=0}^{n}x_{i}
    Greek letters and a function :: <mi>sin</mi><mo>&#8289;</mo><mi>α</mi><mo>≤</mo><mi>β</mi> :: \sin\alpha\le\beta
    a base of several signs :: <msup><mrow><mo>(</mo><mi>a</mi><mo>)</mo></mrow><mn>2</mn></msup> :: {(a)}^{2}
    a matrix :: <mtable><mtr><mtd><mn>1</mn></mtd><mtd><mn>2</mn></mtd></mtr><mtr><mtd><mn>3</mn></mtd><mtd><mn>4</mn></mtd></mtr></mtable> :: \begin{matrix}1 & 2 \\ 3 & 4\end{matrix}
    an accent and a text :: <mover><mi>v</mi><mo>→</mo></mover><mtext>if late</mtext> :: \vec{v}\text{if late}
    its source beside it :: <semantics><mi>x</mi><annotation encoding="application/x-tex">x_1</annotation></semantics> :: x_1
  `),
  )('in MathML with %s becomes LaTeX', async (_name, mathml, latex) => {
    expect(await read(around(`<math>${mathml}</math>`))).toBe(inline(latex));
  });

  it('of MathJax is its source, not the rendering beside it', async () => {
    const old =
      '<span class="MathJax_Preview">x2</span><span class="MathJax">x2</span><script type="math/tex">x^2</script>';
    expect(await read(around(old))).toBe(inline('x^2'));
    const recent =
      '<mjx-container><mjx-math>x</mjx-math><mjx-assistive-mml><math><msup><mi>x</mi><mn>2</mn></msup></math></mjx-assistive-mml></mjx-container>';
    expect(await read(around(recent))).toBe(inline('x^{2}'));
    const display = `<p>The tide is high, as everybody on the island knows.</p><script type="math/tex; mode=display">x = y</script>`;
    expect(await read(display)).toBe('The tide is high, as everybody on the island knows.\n\n$$x = y$$');
  });

  it.each([
    ['between parentheses', String.raw`\(x_1 * y_2 * z_3\)`, String.raw`x_1 * y_2 * z_3`],
    ['between dollars', String.raw`$\mathcal{L}_1 = \{a, b\}$`, String.raw`\mathcal{L}_1 = \{a, b\}`],
    ['with entities', String.raw`\(a_1 &lt; b &amp; c\)`, String.raw`a_1 < b & c`],
    ['in a span', String.raw`<span class="math inline">\(\frac{a}{b}\)</span>`, String.raw`\frac{a}{b}`],
    ['as a picture', '<img class="latex" src="/a/b.png" alt="$h_{1}$">', 'h_{1}'],
    ['as a picture of a service', '<img src="https://latex.codecogs.com/gif.latex?k" title="k_{1}">', 'k_{1}'],
    ['with a comment at the end of a line', '<math alttext="d_{%\nk}"><mi>d</mi></math>', 'd_{k}'],
  ])('that is written %s is LaTeX between dollars, without escapes', async (_name, written, latex) => {
    const text = await read(around(written));
    expect(text).toBe(inline(latex));
    expect(plainText(text)).toBe(inline(latex));
  });

  it.each([
    ['between brackets', '<p>\\[ a_1 &amp;= b \\\\<br>\n c &amp;= d \\]</p>', String.raw`a_1 &= b \\ c &= d`],
    ['between two dollars', String.raw`<div>$$ \sum_{i=1}^{n} x_i $$</div>`, String.raw`\sum_{i=1}^{n} x_i`],
    [
      'in a table of equations',
      String.raw`<table class="ltx_eqn_table"><tr><td></td><td><math alttext="\displaystyle a"><mi>a</mi></math></td><td><math alttext="\displaystyle=b"><mi>b</mi></math></td><td><span>(2)</span></td></tr></table>`,
      String.raw`a =b \tag{2}`,
    ],
  ])('%s stands alone', async (_name, written, latex) => {
    expect(await read(written)).toBe(`$$${latex}$$`);
  });

  it('is not text with dollar signs, and not code', async () => {
    const money = 'It costs $5 to $10, and *all* of it $20_000, or A$5 for every $1.';
    expect(await read(`<p>${money.replace('*all*', '<em>all</em>')}</p>`)).toBe(money);
    const code = '<code>\\(x_1\\)</code> or <code>$x_1$</code>';
    expect(await read(`<p>Write ${code} for an index of it.</p>`)).toBe(
      'Write `\\(x_1\\)` or `$x_1$` for an index of it.',
    );
  });

  it('set by a script is recognised by the script where its symbols are ambiguous', async () => {
    const written = 'as \\(n\\) and \\(m\\) tell everybody on the island';
    expect(await read(`<p>${written}</p>`)).toContain(String.raw`\\(n\\)`);
    expect(await read(`<script src="/mathjax.js"></script><p>${written}</p>`)).toContain('as $n$ and $m$ tell');
  });

  it('with endless nesting keeps its symbols', async () => {
    const nested = `${'<msqrt>'.repeat(100)}<mi>x</mi>${'</msqrt>'.repeat(100)}`;
    expect(await read(around(`<math>${nested}</math>`))).toContain('The tide is x high');
  });
});

describe('A footnote', () => {
  it.each(
    rows(`
      a list :: <sup id="r1"><a href="#fn1">1</a></sup> :: <div class="footnotes"><ol><li id="fn1"><p>Measured in 1911 by the harbour master himself. <a href="#r1">↩</a></p></li></ol></div>
      paragraphs :: <a class="footnote" id="r1" href="#note-1"><sup>1</sup></a> :: <p id="note-1"><a href="#r1">^</a> Measured in 1911 by the harbour master himself.</p>
      a paragraph with an anchor :: <sup><a id="r1" href="#fn1">[1]</a></sup> :: <div class="endnotes"><p><a id="fn1" href="#r1"></a> Measured in 1911 by the harbour master himself.</p></div>
      a box, led back to by its number :: <a class="footnote-anchor" id="anchor-1" href="#footnote-1">1</a> :: <div class="footnote"><a id="footnote-1" href="#anchor-1">1</a><div><p>Measured in 1911 by the harbour master himself.</p></div></div>
    `),
  )('in %s is placed at its text', async (_name, link, note) => {
    const text = await read(`<p>The tide is high${link}, as everybody on the island knows.</p>${note}`);
    expect(text).toBe(
      'The tide is high[^1], as everybody on the island knows.\n\n[^1]: Measured in 1911 by the harbour master himself.',
    );
  });

  it('in a page saved as a file is placed at its text, and no other link stays within the file', async () => {
    const link = '<sup id="r1"><a href="#fn1">1</a></sup>';
    const text = await read(
      `<p>The tide is high${link}, as <a href="#knows">everybody</a> on the island knows.</p><ol class="footnotes"><li id="fn1">Measured in 1911 by the harbour master himself. <a href="#r1">↩</a></li></ol>`,
      'file:///home/ann/times.html',
    );
    expect(text).toBe(
      'The tide is high[^1], as everybody on the island knows.\n\n[^1]: Measured in 1911 by the harbour master himself.',
    );
  });

  it('with two references appears once', async () => {
    const link = '<sup><a href="#fn1">1</a></sup>';
    const text = await read(
      `<p>The tide is high${link}, as everybody on the island knows${link}.</p><ol class="footnotes"><li id="fn1">Measured in 1911 by the harbour master.</li></ol>`,
    );
    expect(text).toBe(
      'The tide is high[^1], as everybody on the island knows[^1].\n\n[^1]: Measured in 1911 by the harbour master.',
    );
  });

  it('is not a numbered link to elsewhere', async () => {
    const text = await read(
      '<p>The tide is high<sup><a href="#part2">2</a></sup>, as everybody knows.</p><div id="part2"><p>The second part tells of the winter.</p></div>',
    );
    expect(text).toContain('(https://ferry.example/times#part2)');
    expect(text).not.toContain('[^');
  });
});

describe('A table', () => {
  it('separates the words of a cell around a bold line break', async () => {
    const table =
      '<table><tr><th>Day</th><th><strong>Leaves</strong><strong><br></strong><strong>North Quay</strong></th></tr><tr><td>Monday</td><td>7</td></tr><tr><td>Tuesday</td><td>8</td></tr></table>';
    expect(await read(table)).toContain('| Day | **Leaves** **North Quay** |');
  });

  it('has every cell in its column when others span rows and columns', async () => {
    const table =
      '<table><tr><th>Day</th><th>Ship</th><th>Leaves</th><th>Quay</th></tr><tr><td rowspan="3">Monday</td><td>Anna</td><td>7</td><td rowspan="2">North</td></tr><tr><td>Berta</td><td>9</td></tr><tr><td colspan="2">none</td><td>South</td></tr><tr><td>Tuesday</td><td>Anna</td><td>8</td><td>North</td></tr></table>';
    expect(await read(table)).toBe(
      [
        '| Day | Ship | Leaves | Quay |',
        '| --- | --- | --- | --- |',
        '| Monday | Anna | 7 | North |',
        '|  | Berta | 9 |',
        '|  | none |  | South |',
        '| Tuesday | Anna | 8 | North |',
      ].join('\n'),
    );
  });
});

const [first, second] = [
  '<p>Take the package of the index, which is the simplest way for most people.</p>',
  '<p>Take the image if you already run other containers on that machine.</p>',
];

describe('A tab', () => {
  it.each(
    rows(`
      MkDocs Material :: <div class="tabbed-set tabbed-alternate"><input id="a" type="radio"><input id="b" type="radio"><div class="tabbed-labels"><label for="a">pip</label><label for="b">Docker</label></div><div class="tabbed-content"><div class="tabbed-block">${first}</div><div class="tabbed-block">${second}</div></div></div>
      Docusaurus :: <div class="tabs-container"><ul role="tablist" class="tabs"><li role="tab" aria-selected="true">pip</li><li role="tab">Docker</li></ul><div><div role="tabpanel">${first}</div><div role="tabpanel" hidden="">${second}</div></div></div>
      sphinx-design :: <div class="sd-tab-set"><input id="a" type="radio"><label class="sd-tab-label" for="a">pip</label><div class="sd-tab-content">${first}</div><input id="b" type="radio"><label class="sd-tab-label" for="b">Docker</label><div class="sd-tab-content">${second}</div></div>
      ARIA, whatever the order of the panels :: <div role="tablist"><button role="tab" aria-controls="y">pip</button><button role="tab" aria-controls="x">Docker</button></div><div role="tabpanel" id="y">${first}</div><div role="tabpanel" id="x">${second}</div>
      Bootstrap :: <ul class="nav nav-tabs"><li><a data-toggle="tab" href="#one">pip</a></li><li><a data-toggle="tab" href="#two">Docker</a></li></ul><div class="tab-content"><div id="one" class="tab-pane">${first}</div><div id="two" class="tab-pane">${second}</div></div>
    `),
  )('of %s becomes a heading above its panel', async (_maker, tabs) => {
    expect(await read(`<h2>Installing</h2>${tabs}`)).toBe(
      [
        '## Installing',
        '###### pip',
        'Take the package of the index, which is the simplest way for most people.',
        '###### Docker',
        'Take the image if you already run other containers on that machine.',
      ].join('\n\n'),
    );
  });

  it('whose panel repeats it as a heading appears once', async () => {
    const tabs = `<div role="tablist"><button role="tab" aria-controls="y">pip</button></div><div role="tabpanel" id="y"><h3>Pip</h3>${first}</div>`;
    expect(await read(tabs)).toBe(
      '### Pip\n\nTake the package of the index, which is the simplest way for most people.',
    );
  });
});
