import { describe, expect, it } from 'vitest';
import { layOutTranscript } from '../../src/domain/records/document.ts';
import { extractPage } from '../../src/sources/page/extract-page.ts';

const sentence = 'The ferry leaves the old harbour at seven in the morning and comes back with the evening tide. ';
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
