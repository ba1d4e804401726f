import { expect, it } from 'vitest';
import { createHtmlToMarkdown } from '../../src/sources/page/markdown/html-to-markdown.ts';
import { readByRules } from '../../src/sources/page/blocks/rule-extraction.ts';

it('leaves out pictures that are data or have no description', async () => {
  const prose =
    'The ferry leaves the old harbour at seven in the morning and comes back with the evening tide. '.repeat(6);
  const url = 'https://ferry.example/times';
  const pictures =
    '<p><img src="data:image/png;base64,iVBORw0KGgo=" alt="tide" width="600" height="400"> <img src="/a.png" width="600" height="400"> <a href="/b"><img src="/c.png" width="600" height="400"></a></p>';
  const page = `<html><body><article><h1>Ferry</h1><p>${prose}</p>${pictures}<p>${prose}</p></article></body></html>`;
  const { markdown } = await readByRules(page, url, url, createHtmlToMarkdown(url));
  expect(markdown).toContain('The ferry leaves');
  expect(markdown).not.toMatch(/!\[|data:|\.png/);
});
