import { describe, expect, it } from 'vitest';
import { layOutTranscript } from '../../../src/domain/records/texts/document.ts';
import { extractPage } from '../../../src/sources/page/extract-page.ts';

const sentence = 'The ferry leaves the old harbour at seven in the morning and comes back with the evening tide. ';
const prose = `<p>${sentence.repeat(3)}</p>`;

async function textOf(part: string, head = ''): Promise<string> {
  const html = `<html lang="en"><head><title>The ferry</title>${head}</head><body><nav><a href="/">Home</a></nav><main><article>
    <h1>The ferry</h1>${prose}${prose}${part}${prose}${prose}</article></main></body></html>`;
  const { blocks } = await extractPage(html, 'https://harbour.example/town/ferry');
  return layOutTranscript(blocks).text;
}

describe('Parts between the paragraphs of a page', () => {
  it('code is kept without line numbers', async () => {
    expect(
      await textOf('<div class="highlight"><pre><span>let</span> a = 1;\n<span>let</span> b = 2;</pre></div>'),
    ).toContain('```\nlet a = 1;\nlet b = 2;\n```');
    const numbered =
      '<table><tr><td class="gutter"><pre>1\n2</pre></td><td class="code"><pre>alpha\nbeta</pre></td></tr></table>';
    const text = await textOf(numbered);
    expect(text).toContain('```\nalpha\nbeta\n```');
    expect(text).not.toMatch(/^[12]$/m);
  });

  it('lists, definitions, and quotations with their source are kept whole', async () => {
    const text = await textOf(
      `<ol start="3"><li>Three<ul><li>inner</li></ul></li><li>Four</li></ol><dl><dt>Tide</dt><dd>What the moon does.</dd></dl>
       <blockquote><p>Be early, and the ferry will wait for nobody else but you.</p><footer>— The pilot</footer></blockquote>`,
    );
    expect(text).toContain('3. Three\n   - inner\n4. Four');
    expect(text).toContain('What the moon does.');
    expect(text).toMatch(/^> — The pilot$/m);
  });

  it('superscripts and subscripts are kept, including those that link to a note', async () => {
    const text = await textOf(
      `<p>Water (H<sub>2</sub>O) covers 10<sup>6</sup> km<sup>2</sup>, at 10<sup>-3</sup> of the cost<sup id="r1"><a href="#n1">1</a></sup>, on
       the 5<sup>th</sup> of May,<a href="#n2"><sup>2</sup></a> for x<sup>n+1</sup> and a<sub>max</sub>.</p>`,
    );
    expect(text).toContain('Water (H₂O) covers 10⁶ km², at 10⁻³ of the cost[¹](https://harbour.example/town/ferry#n1)');
    expect(text).toContain('on the 5th of May,[²](https://harbour.example/town/ferry#n2) for xⁿ⁺¹ and amax.');
  });

  it('unknown elements are read like any other', async () => {
    const text = await textOf(
      '<p>At <constructor>7</constructor> <svg><toString>8</toString></svg><math><valueOf>9</valueOf></math>.</p>',
    );
    expect(text).toContain('At 7');
  });

  it('text in a declared shadow root is kept, and that of a template is not', async () => {
    const text = await textOf(`
      <fare-card><template shadowrootmode="open"><p>A ticket costs three coins of silver for a person and a cart.</p>
        <template><p>Never shown.</p></template></template></fare-card>
      <template><p>Nor is this.</p></template>`);
    expect(text).toContain('three coins of silver');
    expect(text).not.toMatch(/Never shown|Nor is this/);
  });

  it('a formula appears once, as its author wrote it', async () => {
    const math =
      '<math><semantics><mrow><mi>x</mi></mrow><annotation encoding="application/x-tex">x^2</annotation></semantics></math>';
    const drawn = `<span class="katex"><span class="katex-mathml">${math}</span><span class="katex-html" aria-hidden="true">x2</span></span>`;
    expect(await textOf(`<p>Its speed is ${drawn} and no more than that.</p>`)).toContain(
      'Its speed is $x^2$ and no more',
    );
    expect(await textOf('<p>Also <math alttext="a+b"><mi>a</mi></math> is said here.</p>')).toContain(
      'Also $a+b$ is said',
    );
  });

  it('a lazily loaded picture has its address once, and no picture replaces the page', async () => {
    const late =
      '<p><img class="lazy" data-lazy-src="/ship.jpg" alt="The ship"><noscript><img src="/ship.jpg" alt="The ship"></noscript></p>';
    expect((await textOf(late)).match(/!\[The ship\]\(https:\/\/harbour\.example\/ship\.jpg\)/g)).toHaveLength(1);
    expect(
      await textOf('<p><img src="data:image/gif;base64,R0lGODlh" srcset="/a.jpg 1x, /b.jpg 2x" alt="Low tide"></p>'),
    ).toContain('![Low tide](https://harbour.example/a.jpg)');
    expect(await textOf('<p><img alt="Nothing"></p>')).not.toContain('Nothing');
  });

  it("a link uses the page's base, and a heading's anchor is not a link", async () => {
    const text = await textOf(
      '<h2>Fares <a class="headerlink" href="#fares">¶</a></h2><p>See <a href="rules/fares.html">the fares that hold this year</a> at the pier.</p>',
      '<base href="https://docs.harbour.example/v2/">',
    );
    expect(text).toContain('[the fares that hold this year](https://docs.harbour.example/v2/rules/fares.html)');
    expect(text).toMatch(/^## Fares$/m);
  });
});

const address = 'https://harbour.example/ferry';

describe.each(['whole', 'linear'] as const)('a page read the %s way', (way) => {
  it.each([
    ['is not closed', `<p>${sentence}</p><![CDATA[ <p>${sentence.repeat(3)}</p><p>The last word: ${sentence}</p>`],
    [
      'is closed only by another one',
      `<![CDATA[ x><p>${sentence.repeat(3)}</p><p>The last word: ${sentence}</p><script>//<![CDATA[\nlet a;\n//]]></script>`,
    ],
    ['is closed far behind', `<![CDATA[><p>${sentence.repeat(3)}</p><p>The last word: ${sentence}</p>]]>`],
  ])('keeps its text where character data %s', async (_name, body) => {
    const { blocks } = await extractPage(`<!doctype html><html><body>${body}</body></html>`, address, { way });
    const { text } = layOutTranscript(blocks);
    expect(text).toContain(sentence.trim());
    expect(text).toContain('The last word:');
    expect(text).not.toContain('<p>');
  });
});

it.each(['whole', 'linear'] as const)('XHTML keeps the text of closed character data, read the %s way', async (way) => {
  const script = '<script>//<![CDATA[\nlet hidden = 1;\n//]]></script>';
  const page = `<?xml version="1.0"?><html xmlns="http://www.w3.org/1999/xhtml"><head>${script}</head><body><p><![CDATA[${sentence.repeat(5)}It costs < 5 & is fun.]]></p></body></html>`;
  const { text } = layOutTranscript((await extractPage(page, address, { way })).blocks);
  expect(text.replaceAll('\\', '')).toContain('It costs < 5 & is fun.');
  expect(text).not.toContain('hidden');
});

it('JSON-LD within character data is read as before', async () => {
  const data = JSON.stringify({
    '@type': 'Article',
    headline: 'On ferries',
    author: 'Ann Lee',
    articleBody: '<p>a</p>',
  });
  const script = `<script type="application/ld+json">/*<![CDATA[*/${data}/*]]>*/</script>`;
  const document = await extractPage(
    `<html><head>${script}</head><body><p>${sentence.repeat(5)}</p></body></html>`,
    address,
  );
  expect(document).toMatchObject({ title: 'On ferries', author: 'Ann Lee' });
});
