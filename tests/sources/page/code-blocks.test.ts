import { describe, expect, it } from 'vitest';
import { extractPage } from '../../../src/sources/page/extract-page.ts';
import type { ReadingWay } from '../../../src/sources/host/reading-protocol.ts';

const prose = 'The ferry leaves the old harbour at seven in the morning and comes back with the evening tide. '.repeat(
  6,
);

/** The code blocks of a page that explains something with them. */
async function codeOf(html: string, way: ReadingWay = 'whole'): Promise<string[]> {
  const page = `<!doctype html><html><body><article><h1>Ferry times</h1><p>${prose}</p>${html}<p>${prose}</p></article></body></html>`;
  const { blocks } = await extractPage(page, 'https://ferry.example/times', { way });
  return blocks.filter(({ kind }) => kind === 'code').map(({ text }) => text);
}
const fence = (code: string, language = ''): string => `\`\`\`${language}\n${code}\n\`\`\``;
const lines = 'const tide = 7;\n\nif (tide > 6) {\n  leave();\n}';
const [first = '', , second = '', third = '', fourth = ''] = lines.split('\n');
const each = (wrap: (line: string) => string): string => lines.split('\n').map(wrap).join('');

describe('The lines of code', () => {
  it.each([
    ['text', `<pre><code>${lines}</code></pre>`],
    ['line breaks', `<pre>${lines.replaceAll('\n', '<br>')}</pre>`],
    ['line breaks before line breaks of the source', `<pre><code>${lines.replaceAll('\n', '<br/>\n')}</code></pre>`],
    ['divs', `<pre><code>${each((line) => `<div class="line"><span>${line}</span></div>`)}</code></pre>`],
    [
      'divs with a line break in empty ones',
      `<pre>${each((line) => `<div>${line === '' ? '<br>' : line}</div>`)}</pre>`,
    ],
    [
      'divs that end with a line break of the source',
      `<pre><div>${each((line) => `<div>${line}\n</div>`)}</div></pre>`,
    ],
    [
      'spans by their class',
      `<pre><code>${each((line) => `<span class="code-line"><span>${line}</span></span>`)}</code></pre>`,
    ],
    [
      'spans with line breaks in them',
      `<pre>${each((line) => `<span class="token-line" style="color:red">${line}<br></span>`)}</pre>`,
    ],
    ['spans shown as blocks', `<pre>${each((line) => `<span style="display: block">${line}</span>`)}</pre>`],
    [
      'spans with line breaks of the source between them',
      `<pre>${lines
        .split('\n')
        .map((line) => `<span class="line">${line}</span>`)
        .join('\n')}</pre>`,
    ],
    ['items of a list', `<pre><ol>${each((line) => `<li>${line}</li>`)}</ol></pre>`],
    ['items that stand on lines of the source', `<pre><ol>\n${each((line) => `  <li>${line}</li>\n`)}</ol></pre>`],
    ['elements of code', `<pre>${each((line) => `<code>${line}</code>`)}</pre>`],
    [
      'rows of a file on GitHub',
      `<table class="js-file-line-container">${each((line) => `<tr><td class="blob-num"></td><td class="js-file-line">${line}</td></tr>`)}</table>`,
    ],
    [
      'rows of a table with numbers',
      `<pre><table>${lines
        .split('\n')
        .map((line, i) => `<tr><td class="line-number">${i + 1}</td><td>${line}</td></tr>`)
        .join('')}</table></pre>`,
    ],
    [
      'lines with numbers and a button',
      `<pre><button>Copy</button>${lines
        .split('\n')
        .map((line, i) => `<div><span class="lineno">${i + 1}</span>${line}</div>`)
        .join('')}</pre>`,
    ],
  ])('are kept when they are %s', async (_name, html) => {
    expect(await codeOf(html)).toEqual([fence(lines)]);
  });

  it.each([
    ['line breaks', `<pre>${lines.replaceAll('\n', '<br>')}</pre>`],
    [
      'divs',
      `<pre>${lines
        .split('\n')
        .filter((line) => line !== '')
        .map((line) => `<div>${line}</div>`)
        .join('')}</pre>`,
    ],
    [
      'items',
      `<pre><ol>${lines
        .split('\n')
        .filter((line) => line !== '')
        .map((line) => `<li>${line}</li>`)
        .join('')}</ol></pre>`,
    ],
  ])('are one block on a page that is too large for a DOM when they are %s', async (_name, html) => {
    const [code = '', ...more] = await codeOf(html, 'linear');
    expect(more).toEqual([]);
    expect(code.split('\n').filter((line) => line !== '')).toEqual(['```', first, second, third, fourth, '```']);
  });
});

describe('The language of code', () => {
  it.each([
    ['the code', '<pre><code class="language-typescript hljs">x</code></pre>', 'typescript'],
    ['a class beside others', '<pre class="line-numbers language-js"><code>x</code></pre>', 'js'],
    ['a highlighter', '<pre><code class="hljs python">x</code></pre>', 'python'],
    ['a brush', '<pre class="brush: php; gutter: false">x</pre>', 'php'],
    ['an attribute', '<pre data-language="go"><code>x</code></pre>', 'go'],
    [
      'the element around it',
      '<div class="highlight-python notranslate"><div class="highlight"><pre><span></span>x</pre></div></div>',
      'python',
    ],
    [
      'the element around it, further up',
      '<div class="language-ruby highlighter-rouge"><div class="highlight"><pre class="highlight"><code>x</code></pre></div></div>',
      'ruby',
    ],
    [
      'a label above it',
      '<div class="code"><div class="head"><span>JavaScript</span><button>Copy code</button></div><div><pre><code>x</code></pre></div></div>',
      'javascript',
    ],
    ['nobody', '<div class="lang-en"><pre class="language-none"><code>x</code></pre></div>', ''],
  ])('is recognised by %s', async (_name, html, language) => {
    expect(await codeOf(html.replace('>x<', `>${lines}<`))).toEqual([fence(lines, language)]);
  });

  it('leaves no label in the text', async () => {
    const { blocks } = await extractPage(
      `<body><article><h1>Ferry times</h1><p>${prose}</p><div><span>JavaScript</span><pre>${lines}</pre></div><p>${prose}</p></article></body>`,
      'https://ferry.example/times',
    );
    expect(blocks.map(({ text }) => text)).not.toContain('JavaScript');
  });
});

const letter = `Hi all,

I looked at the patch that Marta sent last week, and I think that the lock in
the writer is taken too late.  When two processes open the same file, the
second one may read the header before the first has written it.

On Tue, Mar 3, 2015 at 9:12 AM, Marta Holm wrote:
> We could also keep the header in memory and write it once, when the file is
> closed. That would cost nothing on the machines that we know.
>
>> Does anyone remember why it is written twice?

I would rather do this:

    flock(fd, LOCK_EX);
    write_header(fd);

It has two advantages:

- it is short, and everybody understands it at the first reading without
  looking anything up;
- it works everywhere.

Best regards,
Jonas`;

describe('Text in <pre>', () => {
  const blocksOf = async (text: string): Promise<string[]> => {
    const escaped = text.replaceAll('&', '&amp;').replaceAll('<', '&lt;');
    const page = `<!doctype html><html><body><h1>Locks</h1><pre>${escaped}</pre></body></html>`;
    const { blocks } = await extractPage(page, 'https://ferry.example/list/0042.html');
    return blocks.map(({ kind, text }) => `${kind}: ${text}`).filter((block) => !block.startsWith('heading'));
  };

  it('is paragraphs, quotations, lists and code if it is prose', async () => {
    expect(await blocksOf(letter)).toEqual([
      'paragraph: Hi all,',
      'paragraph: I looked at the patch that Marta sent last week, and I think that the lock in\nthe writer is taken too late.  When two processes open the same file, the\nsecond one may read the header before the first has written it.',
      'paragraph: On Tue, Mar 3, 2015 at 9:12 AM, Marta Holm wrote:',
      'quote: > We could also keep the header in memory and write it once, when the file is\n> closed. That would cost nothing on the machines that we know.\n>\n>> Does anyone remember why it is written twice?',
      'paragraph: I would rather do this:',
      'code: ```\nflock(fd, LOCK_EX);\nwrite_header(fd);\n```',
      'paragraph: It has two advantages:',
      'list: - it is short, and everybody understands it at the first reading without\nlooking anything up;\n- it works everywhere.',
      'paragraph: Best regards,\nJonas',
    ]);
  });

  it.each([
    [
      'code with a long comment',
      `/*\n * ${prose.match(/.{1,70}(?: |$)/g)?.join('\n * ')}\n */\nint main(void)\n{\n  leave(7);\n  return 0;\n}`,
    ],
    ['a table', `${'Monday     The Anna sails.      North\nTuesday    The Berta sails.     South\n'.repeat(8)}`],
    [
      'settings',
      `ferry:\n${'  note: The ferry leaves at seven in the morning.\n  quay: The northern one.\n'.repeat(6)}`,
    ],
  ])('stays one block of code if it is %s', async (_name, text) => {
    expect(await blocksOf(text)).toEqual([`code: \`\`\`\n${text.trimEnd()}\n\`\`\``]);
  });

  it('is not read from an attribute that contradicts the page', async () => {
    const page = `<article><p>${prose}</p><p data-lines="Words that nobody sees.">Words that all see, and that are many.</p><p>${prose}</p></article>`;
    const { blocks } = await extractPage(page, 'https://ferry.example/list/0043.html');
    expect(blocks.map(({ text }) => text).join('\n')).toMatch(/^(?![^]*nobody sees)[^]*all see/);
  });

  it('stays code if the page says so', async () => {
    const text = letter.replaceAll('<', '&lt;');
    expect(await codeOf(`<pre><code>${text}</code></pre>`)).toHaveLength(1);
    expect(await codeOf(`<pre class="terminal">${text}</pre>`)).toHaveLength(1);
  });
});
