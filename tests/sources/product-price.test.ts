import { describe, expect, it } from 'vitest';
import { layOutTranscript } from '../../src/domain/records/document.ts';
import { readBlockModel } from '../../src/sources/page/blocks/block-model.ts';
import { extractPage } from '../../src/sources/page/extract-page.ts';
import { essay, para } from './site-makers/site-page.ts';

const model = readBlockModel();

async function textOf(head: string, shown: string): Promise<string> {
  const html = `<html lang="en"><head><title>Oak hive</title>${head}</head><body><header><a href="/">Shop</a></header><main><h1>Oak hive</h1>
<div class="summary"><div class="buy-box"><span class="tag">${shown}</span></div></div><div class="description">${para(essay.slice(8, 12))}</div></main>
<section class="related"><h2>You may also like</h2><ul><li><a href="/veil">Veil</a><div>€ 19,00</div></li></ul></section></body></html>`;
  const { blocks } = await extractPage(html, 'https://bees.example/oak-hive', { model: () => model });
  return layOutTranscript(blocks).text;
}

const product = (price: unknown, name = 'Oak hive'): string =>
  `<script type="application/ld+json">${JSON.stringify({ '@type': 'Product', name, offers: { '@type': 'Offer', price, priceCurrency: 'EUR' } })}</script>`;

describe('the price of the product that a page shows', () => {
  it.each([
    ['1.299,00 €', product(1299)],
    ['Now 1,299.50 €', product('1299.50')],
    ["CHF 1'299.–", product('1299.00')],
    ['€ 1 299', '<meta property="product:price:amount" content="1299.00">'],
    ['from € 49', product(49)],
  ])('is kept as written: %s', async (shown, head) => {
    const text = await textOf(head, shown);
    expect(text).toContain(shown);
    expect(text).not.toContain('19,00');
  });

  it.each([
    ['another amount', product(1300), '1.299,00 €'],
    ['a page of several products', product(1299) + product(1299, 'Pine hive'), '1.299,00 €'],
    ['no price at all', product('on request'), 'Ask us'],
  ])('is not looked for with %s', async (_what, head, shown) => {
    expect(await textOf(head, shown)).toBe(await textOf('', shown));
  });
});
