import { describe, expect, it } from 'vitest';
import { believableClaim } from '../../src/sources/page/metadata/canonical-claim.ts';

const title = 'Bees on the roof | Garden Ledger';
const claim = (own: string, claimed: string): string | null => believableClaim(claimed, own, title);

describe('the address that a page claims for itself', () => {
  it.each([
    ['https://www.ledger.example/2024/bees?ref=home', 'https://ledger.example/2024/bees/'],
    ['https://m.ledger.example/2024/bees', 'https://www.ledger.example/2024/bees'],
    ['http://ledger.example/Bees.html', 'https://ledger.example/bees'],
    ['https://ledger.example/?p=48213', 'https://ledger.example/2024/05/bees-on-the-roof'],
    ['https://ledger.example/n/48213', 'https://ledger.example/garden/keeping-insects-48213'],
    ['https://ledger.example/shop/all/hive-tool', 'https://ledger.example/products/hive-tool'],
    ['https://ledger.example/list?page=1', 'https://ledger.example/list'],
    ['https://ledger.co.uk/bees', '/bees?from=x'],
    ['https://m.abc.example/bees', 'https://abc.example/bees'],
    ['https://en.m.ledger.example/2024/bees', 'https://en.ledger.example/2024/bees'],
    ['https://medium.com/@ann/bees?source=x', 'https://medium.com/@Ann/bees'],
  ])('is believed: %s claims %s', (own, claimed) => {
    expect(claim(own, claimed)).toBe(new URL(claimed, own).href);
  });

  it.each([
    ['another site', 'https://ledger.example/bees', 'https://other.example/bees'],
    ['a neighbour on a shared host', 'https://ann.github.io/bees', 'https://bob.github.io/bees'],
    [
      'a neighbour on a host that nobody knows',
      'https://ann.pages.example.cloud/bees',
      'https://bob.pages.example.cloud/bees',
    ],
    ['a neighbour on a server of workers', 'https://ann.workers.dev/bees', 'https://www.workers.dev/bees'],
    ['a neighbour in a bucket', 'https://s3.amazonaws.com/ann/bees', 'https://bob.s3.amazonaws.com/ann/bees'],
    ['a shared host, by somebody called amp', 'https://amp.substack.com/bees', 'https://substack.com/bees'],
    ['a site with the name of a form', 'https://amp.dev/bees', 'https://www.dev/bees'],
    ['the host of all', 'https://ann.medium.com/bees', 'https://medium.com/bees'],
    ['another author', 'https://medium.com/@ann/bees', 'https://medium.com/@bob/bees'],
    ['a page of no author', 'https://uni.example/~ann/bees', 'https://uni.example/staff/bees'],
    ['another author in other letters', 'https://uni.example/%7Eann/bees', 'https://uni.example/~bob/bees'],
    ['another number for a host', 'http://10.1.2.3/bees', 'http://10.9.2.3/bees'],
    ['the front page', 'https://ledger.example/2024/bees', 'https://ledger.example/'],
    ['the page above', 'https://ledger.example/2024/bees', 'https://ledger.example/2024/'],
    ['the first page of a list', 'https://ledger.example/list?page=2', 'https://ledger.example/list'],
    ['the first page in the path', 'https://ledger.example/list/page/2', 'https://ledger.example/list'],
    ['another version', 'https://docs.example/en/5.1/bees/', 'https://docs.example/en/6.0/bees/'],
    ['another language', 'https://docs.example/de/bees/', 'https://docs.example/en/bees/'],
    ['another list', 'https://ledger.example/all-products', 'https://ledger.example/t-shirts/mens'],
    ['another article', 'https://ledger.example/2024/bees', 'https://ledger.example/2024/wasps-in-winter'],
    ['no web address', 'https://ledger.example/bees', 'javascript:alert(1)'],
    ['a name and a password', 'https://ledger.example/bees', 'https://a:b@ledger.example/bees'],
  ])('is not believed when it is %s', (_what, own, claimed) => {
    expect(claim(own, claimed)).toBeNull();
  });
});
