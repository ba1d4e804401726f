import { describe, expect, it } from 'vitest';
import { createAddressFilter } from '../../../src/domain/links/addresses.ts';

describe('addresses in an analysis', () => {
  const text =
    'Read https://kettle.company.com/page, **https://b.example/x_(y)** or [this](https://c.example/a?b=c#d). Write to ann@mail.example. See docs.example/start and shop.com; 见https://e.example/f。好';
  const filter = createAddressFilter(text);

  it.each([
    'https://kettle.company.com/page',
    'See https://kettle.company.com/page!',
    'https://b.example/x_(y)',
    'https://c.example/a?b=c#d',
    'Ask ann@mail.example, or look at docs.example/start.',
    'shop.com sells it',
    'https://e.example/f',
    'HTTPS://Kettle.Company.com/page/ and Shop.com',
    '詳しくはhttps://e.example/fを参照。米shop.comの本',
    'Siehe „https://e.example/f“ oder »https://e.example/f«…',
    'Vue.js/React, config.yml/config.json, index.html?x=1',
    'Node.js 24.21, config.json, e.g. U.S. laws, 2.5km/h, 12:30, either/or, and "notes": no address',
    'Ratio 3:4; Müller & Söhne. Ende.Anfang',
  ])('%s are kept', (words) => {
    expect(filter(words)).toBe(words);
  });

  it.each([
    ['https://kettle.company.co', 'a beginning of one'],
    ['https://kettle.company.com', 'its host alone'],
    ['https://c.example/a?b=c', 'one cut short'],
    ['http://kettle.company.com/page', 'another scheme'],
    ['HTTPS://EVIL.EXAMPLE/A', 'upper case'],
    ['//evil.example/a', 'no scheme'],
    ['evil.example/leak?d=1', 'no scheme and no slashes'],
    ['evil.com', 'a host alone'],
    ['www.evil.example', 'www'],
    ['thief@evil.example', 'mail'],
    ['mailto:thief@evil.example', 'mail with its scheme'],
    ['tel:+15550100', 'a telephone'],
    ['vbscript:x', 'a script'],
    ['custom+app://open', 'their own scheme'],
    ['https:evil.example', 'a scheme without slashes'],
    ['https:\\\\evil.example', 'slashes the other way'],
    ['bücher.example/x', 'other letters'],
  ])('removes %s: %s', (address) => {
    expect(filter(`Go to ${address} now`)).toBe('Go to […] now');
    expect(filter(`(${address})`)).toBe('([…])');
  });

  it.each([
    ['https://kettle.company.com/Page', '[…]'],
    ['詳しくはhttps://evil.example/fを参照。', '詳しくは[…]を参照。'],
    ['悪いevil.comの本', '悪い[…]の本'],
    ['https://e.example/f/日本', '[…]'],
    ['evil.js.com/React', '[…]'],
  ])('turns %s into %s', (words, left) => {
    expect(filter(words)).toBe(left);
  });

  it.each([
    ['a'],
    ['あ'],
    ['aあ'],
    ['aあ.'],
    ['a.'],
    ['a-'],
    ['a@'],
    ['//a.'],
    ['a.a-'],
    ['http:'],
    ['é'],
    ['a+.'],
    ['https://a'],
    ['.'],
  ])('finishes on a long text of only %s', (piece) => {
    expect(createAddressFilter(`${piece.repeat(200_000)}x`)('evil.com')).toBe('[…]');
    expect(createAddressFilter(`https://a.example/${piece.repeat(200_000)}x`)('evil.com')).toBe('[…]');
  });
});
