import { describe, expect, it } from 'vitest';
import { layOutTranscript } from '../../../src/domain/records/texts/document.ts';
import { extractPage } from '../../../src/sources/page/extract-page.ts';
import { rows } from '../../support/texts/rows.ts';

const menu =
  '<header class="site-header"><nav><ul><li><a href="/">Home</a></li><li><a href="/blog">Blog</a></li></ul></nav></header>';
const foot = '<footer><p>© 2024 The Harbour Works. All rights reserved.</p></footer>';

async function read(body: string, title = 'A page', around: readonly [string, string] = [menu, foot]): Promise<string> {
  const html = `<!doctype html><html><head><title>${title}</title></head><body>${around[0]}${body}${around[1]}</body></html>`;
  const { blocks } = await extractPage(html, 'https://harbour.example/page');
  return layOutTranscript(blocks).text;
}

describe('code in a short page', () => {
  const snippets = [
    'npm ERR! code EACCES',
    'npm install',
    'git push origin main\ngit pull',
    'const a = 1;\nconsole.log(a);',
    'rm -rf node_modules',
    'curl -O https://harbour.example/a.tgz',
    'FROM node:24',
    'SELECT * FROM boats;',
    'Segmentation fault (core dumped)',
    'chmod +x run.sh',
    'make all',
  ];
  it.each(snippets)('is kept under its heading: %s', async (snippet) => {
    const text = await read(
      `<article><h1>Fixing installer errors</h1><p>When the installer stops, the last line of its log says why.</p>
       <h2>Exit</h2><p>The installer may not write into the folder of global packages.</p><pre><code>${snippet}</code></pre>
       <h2>Segfault</h2><p>The binary was built for another processor; build it again.</p></article>`,
      'Fixing installer errors',
      ['', ''],
    );
    expect(text).toContain(snippet);
  });

  it('is kept at the end of a longer one', async () => {
    const text = await read(
      `<main><h1>Start a service</h1>
       <p>This guide shows how a small service is set up on a fresh machine, from the first package that has to be there to the moment
       at which it answers its first request from outside; nothing of it takes longer than ten minutes.</p>
       <h2>Install it</h2><p>The packages come from the registry. Take the latest release of the runtime, since older ones do not know
       the syntax that is used here, and remember to install the tools for building native modules.</p>
       <pre><code>npm install</code></pre><h2>Run it</h2><p>Now the service can be started.</p><pre><code>npm start</code></pre></main>`,
    );
    expect(text).toMatch(/npm install[^]*## Run it[^]*npm start/);
  });

  it('is kept in two steps, and in the steps of a list', async () => {
    const steps = await read(
      `<article><h1>Get the sources</h1><h2>First</h2><p>Fetch the library.</p><pre>git clone https://a.example/lib\ncd lib</pre>
       <h2>Second</h2><p>Fetch the program.</p><pre>git clone https://a.example/app\ncd app</pre></article>`,
    );
    expect(steps).toMatch(/cd lib[^]*cd app/);
    const list = await read(
      `<main><h1>Set up a mirror</h1><p>A mirror keeps a copy of the archive near to the people who use it.</p>
       <ol><li><p>Make a folder for it.</p><pre><code>mkdir -p /srv/mirror</code></pre></li>
       <li><p>Fetch the first copy; this takes an hour.</p><pre><code>rsync -a archive::all /srv/mirror</code></pre></li></ol></main>`,
    );
    expect(list).toMatch(/mkdir[^]*rsync/);
  });

  it('is kept in a reference and after tabs', async () => {
    const reference = await read(
      `<main><h1>open(path)</h1><p>Opens a file for reading and gives back its handle.</p><h2>Parameters</h2>
       <table><tr><th>Name</th><th>Meaning</th></tr><tr><td>path</td><td>Where the file is.</td></tr><tr><td>mode</td><td>Either r or w.</td></tr></table>
       <h2>Returns</h2><p>A promise of a handle.</p><h2>Example</h2><pre>const file = await open('notes.txt');</pre></main>`,
    );
    expect(reference).toMatch(/Either r or w\.[^]*## Example[^]*open\('notes\.txt'\)/);
    const tabs = await read(
      `<main><h1>Install the client</h1><p>Pick the package manager that your system uses.</p>
       <div class="tabs"><div role="tablist"><button role="tab">apt</button></div>
       <div role="tabpanel"><pre><code>apt install harbour-client</code></pre></div></div>
       <p>Then sign in once.</p><pre><code>harbour login</code></pre></main>`,
    );
    expect(tabs).toMatch(/apt install[^]*harbour login/);
  });
});

describe('the rest of a text', () => {
  it.each([
    [120, 24],
    [120, 12],
    [80, 24],
    [40, 24],
    [5, 24],
  ])('is kept up to the last of %i chapters of %i sentences', async (count, length) => {
    const chapters = Array.from({ length: count }, (_, n) => {
      const sentences = Array.from(
        { length },
        (__, k) =>
          `The ${k % 3 === 0 ? 'lantern' : 'harbour'} of part ${n + 1} is lit by rule ${k + 1} of the old order.`,
      );
      return `<h2>Chapter ${n + 1}</h2><p>${sentences.join(' ')}</p>`;
    });
    const text = await read(`<article><h1>The manual</h1>${chapters.join('')}</article>`, 'The manual', ['', '']);
    const lost = chapters.flatMap((_, n) => (text.includes(`part ${n + 1} is lit by rule ${length} `) ? [] : [n + 1]));
    expect(lost).toEqual([]);
    expect(text).toContain(`## Chapter ${count}`);
  });

  it('is kept where it defines words, describes pictures and contains notes', async () => {
    const words = await read(
      `<article><h1>Words of the ropewalk</h1><p>Ropemakers have words of their own; the commonest are these.</p>
       <dl><dt>Yarn</dt><dd>Fibres that are twisted together to the right.</dd><dt>Hawser</dt><dd>Three strands, laid to the right.</dd></dl></article>`,
    );
    expect(words).toMatch(/Yarn[^]*Fibres[^]*Hawser[^]*Three strands/);
    const bridges = await read(
      `<article><h1>Bridges of the canal</h1><p>The canal has eleven bridges, and no two of them were built by the same hand.</p>
       <figure><img src="a.jpg" alt="An arch"><figcaption>The oldest bridge, of brick, from 1791.</figcaption></figure>
       <p>The youngest carries trams and was opened only last spring.</p>
       <figure><img src="b.jpg" alt="A tram"><figcaption>At night.</figcaption></figure><p>On its rail hang the locks of those who married in the town hall.</p></article>`,
    );
    expect(bridges).toMatch(/The oldest bridge, of brick[^]*At night\.[^]*On its rail/);
    const salt = await read(
      `<article><h1>The price of salt</h1><p>Salt was dear as long as it came over the mountains on the backs of mules. When the railway
       came, it fell to a tenth within two years.</p><p>The merchants who had lived from it turned to timber.</p>
       <section class="footnotes"><ol><li id="f1"><p>A mule carried about 120 kilograms.</p></li></ol></section></article>`,
    );
    expect(salt).toContain('A mule carried about 120 kilograms.');
  });

  it('is kept in questions, a changelog, quotations, a poem and a page of two paragraphs', async () => {
    const questions = await read(
      `<main><h1>Questions about the pass</h1><h3>How long is it valid?</h3><p>A year from the day on which you buy it.</p>
       <h3>Can I give it back?</h3><p>Yes.</p><details><summary>Where is it sold?</summary><p>At the station and the town hall.</p></details></main>`,
    );
    expect(questions).toMatch(/A year[^]*Yes\.[^]*Where is it sold\?[^]*town hall/);
    const changes = await read(
      `<main><h1>Changelog</h1><h2>2.1.0</h2><ul><li>Added the option --quiet.</li></ul><h2>2.0.1</h2><ul><li>Fixed the build on ARM.</li></ul>
       <h2>2.0.0</h2><p>The configuration moved into one file.</p><ul><li>Removed the option --legacy.</li></ul></main>`,
    );
    expect(changes).toMatch(/2\.1\.0[^]*--quiet[^]*2\.0\.1[^]*ARM[^]*2\.0\.0[^]*one file[^]*--legacy/);
    const keeper = await read(
      `<article><h1>What the keeper said</h1><p>He wrote down one sentence every evening for thirty years.</p>
       <blockquote><p>Fog until noon; two ships heard, none seen.</p></blockquote><p>Some are shorter than that.</p><blockquote>Nothing but the sea.</blockquote></article>`,
    );
    expect(keeper).toMatch(/Fog until noon[^]*shorter[^]*Nothing but/);
    const poem = await read(
      `<article><h1>The ferryman</h1><p>The river took the morning light<br>and carried it away,</p><p>He left a lantern on the stone,<br>a rope, a cup, a chair.</p><p>M. H.</p></article>`,
    );
    expect(poem).toMatch(/carried it away[^]*a chair\.[^]*M\. H\./);
    const notice = await read(
      '<main><h1>Closed</h1><p>The library is closed on Monday.</p><p>Bring books on Tuesday.</p></main>',
    );
    expect(notice).toMatch(/closed on Monday[^]*on Tuesday/);
  });
});

describe('other matter', () => {
  const recipe = `<h1>Rye bread</h1><p>A plain loaf that keeps for a week and tastes best on the third day.</p>
    <h2>Ingredients</h2><ul><li>500 g rye flour</li><li>350 ml water</li><li>10 g salt</li></ul>
    <h2>Method</h2><ol><li>Mix all.</li><li>Let it stand overnight in a warm place.</li><li>Bake for an hour.</li></ol>`;

  it.each(
    rows(`
      related posts :: <section class="related-posts"><h2>You may also like</h2><p>Spelt rolls that are quick to bake.</p></section>
      a newsletter :: <div class="newsletter"><h3>Newsletter</h3><p>Get a recipe every Sunday in your letter box.</p></div>
      a cookie banner :: <div class="cookie-banner"><p>We use cookies to make this site better for you.</p></div>
      comments :: <section id="comments"><h2>2 comments</h2><div class="comment"><p>Mine came out flat.</p><pre>bake(90)</pre></div></section>
      an author :: <div class="author-box"><p>Nora Vik bakes in the north.</p></div>
      a link list :: <div><h3>Read more</h3><ul><li><a href="/a">Spelt rolls</a></li><li><a href="/b">Flat bread</a></li></ul></div>
    `),
  )('is omitted: %s below a recipe', async (_name, below) => {
    const text = await read(`<article class="recipe">${recipe}</article>${below}`);
    expect(text).toMatch(/rye flour[^]*10 g salt[^]*Mix all\.[^]*Bake for an hour\./);
    expect(text).not.toMatch(/Spelt|Sunday|cookies|flat|bake\(|Nora|Flat/);
  });
});

describe('blocks of the same structure', () => {
  const prose =
    'The ferry leaves the old harbour at seven in the morning and comes back with the evening tide. It carries forty people and their bicycles, and in summer it stops at the island of the seals. ';

  it('of the tiles of a shop are kept together, the last price included, without the filters', async () => {
    const filters =
      '<aside class="filters"><h3>Filter by</h3><ul><li><label>Red (4)</label></li><li><label>Blue (7)</label></li></ul></aside>';
    const tiles = Array.from(
      { length: 12 },
      (_, i) =>
        `<li class="product card"><a href="/p${i}"><h3>Wool sock number ${i}</h3></a><span class="price">€${10 + i}.00</span><button>Add to cart</button></li>`,
    );
    const text = await read(
      `${filters}<main><h1>Socks</h1><ul class="products grid">${tiles.join('')}</ul></main>`,
      'Socks',
    );
    for (let i = 0; i < 12; i += 1)
      expect(text).toMatch(new RegExp(`Wool sock number ${i}\\b[^]*€${10 + i}\\.00(?!\\w)`));
    expect(text).not.toContain('Red (4)');
  });

  it('keep the captions of pictures and of tables between paragraphs', async () => {
    const text = await read(
      `<article><h1>The ferry</h1><p>${prose}</p>
       <figure><img src="a.jpg"><figcaption>The ferry at the pier of the old harbour in spring</figcaption></figure><p>${prose}</p>
       <figure><table><tr><th>Year</th><th>People</th></tr><tr><td>2020</td><td>1,200</td></tr></table>
       <figcaption>Table 1. People carried by year</figcaption></figure><p>${prose}</p></article>`,
    );
    expect(text).toContain('The ferry at the pier of the old harbour in spring');
    expect(text).toMatch(/\| 2020 \| 1,200 \|[^]*Table 1\. People carried by year/);
  });
});

it('in a nested list are kept with a kept item above them, even if short', async () => {
  const prose = Array.from(
    { length: 3 },
    (_, i) =>
      `<p>Beekeeper ${i} opened the hive in the ${i}th week of the summer, counted the frames with brood, and wrote into the book what she had seen there.</p>`,
  ).join('');
  const text = await read(
    `<article><h1>T</h1>${prose}<ul><li><p>Tools</p><ul><li>A smoker</li><li>A veil</li></ul></li></ul><p>A last paragraph about what the keepers did in autumn, before the frost.</p></article>`,
    'T',
    ['', ''],
  );
  expect(text).toMatch(/Tools[^]*A smoker[^]*A veil[^]*A last paragraph/);
});
