import type { PageFacts } from '../html/html-scan.ts';
import type { Json } from '../../../domain/json/json-value.ts';
import { jsonLdObjects } from './json-ld.ts';

const priceMetas = ['product:price:amount', 'og:price:amount', 'price'];

/** The price that a page declares for the one product that it shows, as written there; null on any other page. */
export function declaredPrice({ jsonLd, metas }: Pick<PageFacts, 'jsonLd' | 'metas'>): string | null {
  const products = jsonLdObjects(jsonLd.filter((script) => /"Product(?:Group)?"/.test(script))).filter(
    ({ '@type': type }) => typeof type === 'string' && /(?:^|\/)Product(?:Group)?$/.test(type),
  );
  if (products.length > 1) return null;
  const offers = products[0]?.['offers'] ?? null;
  const meta = priceMetas.flatMap((name) => metas.get(name) ?? [])[0];
  return priceOf(Array.isArray(offers) ? (offers[0] ?? null) : offers) ?? meta ?? null;
}

function priceOf(offer: Json): string | null {
  if (offer === null || typeof offer !== 'object' || Array.isArray(offer)) return null;
  const price = offer['price'] ?? offer['lowPrice'];
  return typeof price === 'number' || typeof price === 'string' ? String(price) : null;
}
