import { describe, expect, it } from 'vitest';
import { layOutTranscript } from '../../src/domain/records/document.ts';
import { extractPage } from '../../src/sources/page/extract-page.ts';

const prose = 'The ferry leaves the old harbour at seven in the morning and comes back with the evening tide. '
  .repeat(6)
  .trim();
const [first, second] = [
  '<p>Take the package of the index, which is the simplest way for most people.</p>',
  '<p>Take the image if you already run other containers on that machine.</p>',
];

/** The Markdown of what stands between two paragraphs of a page. */
async function read(body: string): Promise<string> {
  const page = `<!doctype html><html><body><article><h1>Ferry</h1><p>${prose}</p>${body}<p>${prose}</p></article></body></html>`;
  const { blocks } = await extractPage(page, 'https://ferry.example/docs');
  return layOutTranscript(blocks).text.replace('# Ferry', '').replaceAll(prose, '').trim();
}

describe('A tab', () => {
  it.each([
    [
      'MkDocs Material',
      `<div class="tabbed-set tabbed-alternate"><input id="a" type="radio"><input id="b" type="radio"><div class="tabbed-labels"><label for="a">pip</label><label for="b">Docker</label></div><div class="tabbed-content"><div class="tabbed-block">${first}</div><div class="tabbed-block">${second}</div></div></div>`,
    ],
    [
      'Docusaurus',
      `<div class="tabs-container"><ul role="tablist" class="tabs"><li role="tab" aria-selected="true">pip</li><li role="tab">Docker</li></ul><div><div role="tabpanel">${first}</div><div role="tabpanel" hidden="">${second}</div></div></div>`,
    ],
    [
      'sphinx-design',
      `<div class="sd-tab-set"><input id="a" type="radio"><label class="sd-tab-label" for="a">pip</label><div class="sd-tab-content">${first}</div><input id="b" type="radio"><label class="sd-tab-label" for="b">Docker</label><div class="sd-tab-content">${second}</div></div>`,
    ],
    [
      'ARIA, whatever the order of the panels',
      `<div role="tablist"><button role="tab" aria-controls="y">pip</button><button role="tab" aria-controls="x">Docker</button></div><div role="tabpanel" id="y">${first}</div><div role="tabpanel" id="x">${second}</div>`,
    ],
    [
      'Bootstrap',
      `<ul class="nav nav-tabs"><li><a data-toggle="tab" href="#one">pip</a></li><li><a data-toggle="tab" href="#two">Docker</a></li></ul><div class="tab-content"><div id="one" class="tab-pane">${first}</div><div id="two" class="tab-pane">${second}</div></div>`,
    ],
  ])('of %s stands above what it shows', async (_maker, tabs) => {
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

  it('whose panel has it as its heading comes once', async () => {
    const tabs = `<div role="tablist"><button role="tab" aria-controls="y">pip</button></div><div role="tabpanel" id="y"><h3>Pip</h3>${first}</div>`;
    expect(await read(tabs)).toBe(
      '### Pip\n\nTake the package of the index, which is the simplest way for most people.',
    );
  });
});
