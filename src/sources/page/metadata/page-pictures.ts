import type { PagePictures } from '../../host/reading-protocol.ts';
import { readTokens, type Attributes } from '../html/html-tokens.ts';

/** More of a kind are not tried. */
const maxAddresses = 3;
const maxAddressLength = 2_000;
/** In CSS pixels. A smaller picture of a text is an avatar or a button. */
const minPictureWidth = 300;
/** In pixels, of an icon without `sizes`. The icon nearest to the wanted size comes first. */
const usualIconSize = 32;
const wantedIconSize = 64;

const pictureNames = new Set(['og:image', 'og:image:url', 'og:image:secure_url', 'twitter:image', 'twitter:image:src']);

/** Finds the addresses of a page's icon and picture in one pass. The site's `/favicon.ico` is the last icon. */
export function findPictures(html: string, url: string): PagePictures {
  const icons: { address: string; size: number }[] = [];
  const declared: string[] = [];
  const shown: string[] = [];
  let base = url;
  readTokens(html, {
    open(name, attributes) {
      if (name === 'base') base = URL.parse(attributes['href'] ?? '', url)?.href ?? base;
      else if (name === 'link') icons.push(...iconOf(attributes));
      else if (name === 'meta') {
        const key = (attributes['property'] ?? attributes['name'] ?? '').trim().toLowerCase();
        if (pictureNames.has(key)) declared.push(attributes['content'] ?? '');
      } else if (name === 'img' && Number.parseInt(attributes['width'] ?? '', 10) >= minPictureWidth)
        shown.push(attributes['src'] ?? '');
    },
  });
  const nearest = icons.toSorted((a, b) => Math.abs(a.size - wantedIconSize) - Math.abs(b.size - wantedIconSize));
  const site = addressesOf(['/favicon.ico'], url);
  return {
    icon: [
      ...addressesOf(
        nearest.map(({ address }) => address),
        base,
      ).slice(0, maxAddresses - 1),
      ...site,
    ],
    picture: addressesOf([...declared, ...shown], base).slice(0, maxAddresses),
  };
}

function iconOf({ rel = '', href = '', sizes = '', type = '' }: Attributes): { address: string; size: number }[] {
  const kinds = rel.slice(0, 200).toLowerCase().split(/\s/);
  const isTouch = kinds.some((kind) => kind.startsWith('apple-touch-icon'));
  if (!(isTouch || kinds.includes('icon')) || type.includes('svg')) return [];
  const size = Number.parseInt(sizes, 10) || (isTouch ? 180 : usualIconSize);
  return [{ address: href, size }];
}

function addressesOf(written: readonly string[], base: string): string[] {
  const found = written.flatMap((one) => {
    const address = one.length > maxAddressLength || one.trim() === '' ? null : URL.parse(one.trim(), base);
    return address !== null && /^https?:$/.test(address.protocol) ? [address.href] : [];
  });
  return [...new Set(found)];
}
