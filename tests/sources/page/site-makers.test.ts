import { describe, expect, it } from 'vitest';
import { layOutTranscript } from '../../../src/domain/records/texts/document.ts';
import { extractPage } from '../../../src/sources/page/extract-page.ts';
import { readBlockModel } from '../../../src/sources/page/blocks/block-model.ts';
import { blogs } from '../site-makers/blogs.ts';
import { builders } from '../site-makers/builders.ts';
import { discussions } from '../site-makers/discussions.ts';
import { documentation } from '../site-makers/documentation.ts';
import { forums } from '../site-makers/forums.ts';
import { papersAndShops } from '../site-makers/papers-and-shops.ts';
import { shelves } from '../site-makers/shelves.ts';

const model = readBlockModel();

describe.each([
  ['documentation', documentation],
  ['blogs and news', blogs],
  ['site builders', builders],
  ['discussions and repositories', discussions],
  ['forums', forums],
  ['papers, recipes and shops', papersAndShops],
  ['shelves, services and fronts', shelves],
])('A page of %s', (_kind, pages) => {
  it.each(pages.map((page) => [page.name, page] as const))(
    'by %s has its text in order, and nothing around it',
    async (_name, page) => {
      const document = await extractPage(page.html, page.url, { model: () => model });
      const text = layOutTranscript(document.blocks).text;
      let at = 0;
      for (const part of page.must) {
        const found = text.indexOf(part, at);
        expect(found === -1 ? `missing after character ${at}: ${part}` : '').toBe('');
        at = found + part.length;
      }
      for (const other of page.mustNot) expect(text).not.toContain(other);
      const { title, author, date, contentType, site } = page;
      expect({ ...document, date: document.publishedAt?.slice(0, 10) }).toMatchObject({
        ...(title !== undefined && { title }),
        ...(author !== undefined && { author }),
        ...(contentType !== undefined && { contentType }),
        ...(site !== undefined && { siteName: site }),
        ...(date !== undefined && { date }),
      });
    },
  );
});
