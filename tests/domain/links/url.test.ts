import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { canonicalUrl, deepLink, parseSavableUrl } from '../../../src/domain/links/url.ts';
import { AppError } from '../../../src/errors.ts';
import { runs } from '../../support/vitest/thorough.ts';
import { forAll } from '../../support/for-all.ts';

describe('canonicalUrl', () => {
  it.each([
    ['HTTPS://Example.COM:443/Path', 'https://example.com/Path'],
    ['http://example.com:80', 'http://example.com/'],
    ['http://example.com:8080/', 'http://example.com:8080/'],
    ['https://example.com./a', 'https://example.com/a'],
    ['https://example.com/a#section', 'https://example.com/a'],
    ['https://example.com/a#:~:text=some%20words', 'https://example.com/a'],
    ['https://example.com/#!/route', 'https://example.com/#!/route'],
    ['https://example.com/app#/route?x=1', 'https://example.com/app#/route?x=1'],
    ['https://example.com/a?utm_source=x&id=7&fbclid=abc&UTM_Medium=y', 'https://example.com/a?id=7'],
    ['https://example.com/a?utm_source=x', 'https://example.com/a'],
    ['https://example.com/a?b=2&a=1', 'https://example.com/a?b=2&a=1'],
    ['https://example.com/%7euser/%e4%bd%a0?q=%2f', 'https://example.com/~user/%E4%BD%A0?q=%2F'],
    ['https://example.com/100%', 'https://example.com/100%25'],
    ['https://example.com/blog/index.html', 'https://example.com/blog/'],
    ['https://example.com/index.php?id=2', 'https://example.com/index.php?id=2'],
    ['https://www.example.com/', 'https://www.example.com/'],
    ['https://bücher.example/ä', 'https://xn--bcher-kva.example/%C3%A4'],
    ['  https://example.com/  ', 'https://example.com/'],
    ['file:///home/someone/notes.md#x', 'file:///home/someone/notes.md'],
    ['not an address', 'not an address'],
    ['https://shop.example/socks?srsltid=AfmB&size=4', 'https://shop.example/socks?size=4'],
    ['https://www.google.com/url?sa=t&q=https%3A%2F%2Fexample.com%2Fa%3Fb%3D1&usg=x', 'https://example.com/a?b=1'],
    ['https://l.facebook.com/l.php?u=https%3A%2F%2Fexample.com%2Fa%3Ffbclid%3Dx&h=AT0', 'https://example.com/a'],
    ['https://out.reddit.com/t3_x?url=https%3A%2F%2Fexample.com%2F&token=y', 'https://example.com/'],
    ['https://t.umblr.com/redirect?z=https%3A%2F%2Fexample.com%2Fa&t=x', 'https://example.com/a'],
    [
      'https://eur01.safelinks.protection.outlook.com/?url=https%3A%2F%2Fexample.com%2Fa&data=05',
      'https://example.com/a',
    ],
    [
      'https://www.google.com/url?q=https%3A%2F%2Fl.facebook.com%2Fl.php%3Fu%3Dhttps%253A%252F%252Fa.test%252F',
      'https://a.test/',
    ],
    ['https://www.google.com/url?q=javascript%3Aalert(1)', 'https://www.google.com/url?q=javascript%3Aalert(1)'],
    [
      'https://www.google.com/search?q=https%3A%2F%2Fexample.com',
      'https://www.google.com/search?q=https%3A%2F%2Fexample.com',
    ],
    ['https://www.google.com/amp/s/www.example.com/2024/a-long-walk/amp/', 'https://www.example.com/2024/a-long-walk'],
    ['https://www-example-com.cdn.ampproject.org/c/s/www.example.com/a.html', 'https://www.example.com/a.html'],
    ['https://example.com/news/world-12345678.amp', 'https://example.com/news/world-12345678'],
    ['https://example.com/news/a-long-walk?amp=1&page=2', 'https://example.com/news/a-long-walk?page=2'],
    ['https://example.com/docs/amp', 'https://example.com/docs/amp'],
    ['https://example.com/guitar/amp/', 'https://example.com/guitar/amp/'],
    ['https://en.m.wikipedia.org/wiki/Bee', 'https://en.wikipedia.org/wiki/Bee'],
    ['https://m.example.com/a', 'https://m.example.com/a'],
    ['https://mobile.twitter.com/ann/status/123456789/photo/1?s=20', 'https://x.com/ann/status/123456789'],
    ['https://old.reddit.com/r/Bees/comments/1abcd/on_roofs/?share_id=x', 'https://www.reddit.com/comments/1abcd/'],
    [
      'https://www.reddit.com/r/Bees/comments/1abcd/on_roofs/kx99/',
      'https://www.reddit.com/r/Bees/comments/1abcd/on_roofs/kx99/',
    ],
    ['http://arxiv.org/pdf/2401.12345v3.pdf', 'https://arxiv.org/abs/2401.12345'],
    ['https://arxiv.org/abs/cs.LG/0501001v1', 'https://arxiv.org/abs/cs.LG/0501001'],
    ['https://doi.org/10.48550/arXiv.2401.12345', 'https://arxiv.org/abs/2401.12345'],
    ['https://doi.org/10.1000/A%41%2fb', 'https://doi.org/10.1000/aa%2Fb'],
    ['https://old.reddit.com/r/Bees/comm%65nts/1abcd/on_roofs/', 'https://www.reddit.com/comments/1abcd/'],
    ['http://dx.doi.org/10.1000/ABC.def', 'https://doi.org/10.1000/abc.def'],
  ])('%s → %s', (input, expected) => {
    expect(canonicalUrl(input)).toBe(expected);
  });

  it.each([
    'https://www.youtube.com/watch?v=dQw4w9WgXcQ',
    'http://youtube.com/watch?list=PL1&v=dQw4w9WgXcQ&t=43s',
    'https://m.youtube.com/watch?v=dQw4w9WgXcQ&feature=share',
    'https://music.youtube.com/watch?v=dQw4w9WgXcQ',
    'https://youtu.be/dQw4w9WgXcQ?si=abc&t=5',
    'https://www.youtube.com/shorts/dQw4w9WgXcQ',
    'https://www.youtube.com/live/dQw4w9WgXcQ?feature=shared',
    'https://www.youtube.com/embed/dQw4w9WgXcQ?start=3',
    'https://www.youtube-nocookie.com/embed/dQw4w9WgXcQ',
    'https://www.youtube.com/v/dQw4w9WgXcQ',
    'https://www.youtube.com/attribution_link?a=x&u=%2Fwatch%3Fv%3DdQw4w9WgXcQ%26feature%3Dshare',
  ])('maps %s to its watch page', (input) => {
    expect(canonicalUrl(input)).toBe('https://www.youtube.com/watch?v=dQw4w9WgXcQ');
  });

  it.each([
    'https://youtube.com.example.org/watch?v=dQw4w9WgXcQ',
    'https://notyoutube.com/watch?v=dQw4w9WgXcQ',
    'https://www.youtube.com/embed/videoseries?list=PL1',
    'https://www.youtube.com/@channel',
  ])('leaves %s alone', (input) => {
    expect(canonicalUrl(input)).toBe(input);
  });

  it('is idempotent', () => {
    const piece = fc.oneof(
      fc.constantFrom('%', '%25', '%2', '%41', '%2e', '.', '/', '//', '?', '&', '=', '#', '#!', '#/', ':~:', ':', '@'),
      fc.constantFrom(
        'utm_source=',
        'index.html',
        'default.aspx',
        'v=dQw4w9WgXcQ',
        'watch',
        'url?q=https://',
        '/amp/s/',
        '/c/s/a-b-c.test/',
        'https://www.google.com/url?q=',
        'https%3A%2F%2Fl.facebook.com%2Fl.php%3Fu%3D',
        '/a-long-walk',
        '/amp',
        '.amp',
        'amp=1',
        '/abs/2401.12345',
        'v2.pdf',
        '/10.48550/arxiv.2401.12345',
        '/10.1000/A%41',
        '/ann/status/12',
        '/comments/1ab/x',
        'ü',
        '你',
        ' ',
        '\\',
        '..',
      ),
      fc.string({ unit: 'binary', maxLength: 3 }),
    );
    const host = fc.constantFrom(
      'example.com',
      'EXAMPLE.com.',
      'a.b..',
      'youtu.be',
      'www.youtube.com',
      '[::1]',
      'www.google.com',
      'a.cdn.ampproject.org.',
      'doi.org',
      'arxiv.org',
      'mobile.x.com',
      'old.reddit.com',
      'en.m.wikipedia.org',
      '0x7f.1',
    );
    const address = fc
      .tuple(fc.constantFrom('http://', 'https://', 'HTTP:', 'file:///', 'mailto:'), host, fc.array(piece))
      .map(([scheme, name, pieces]) => scheme + name + pieces.join(''));
    forAll(
      runs(5_000),
      fc.oneof(address, fc.webUrl({ withFragments: true, withQueryParameters: true }), fc.string()),
      (input) => {
        const once = canonicalUrl(input);
        expect(canonicalUrl(once)).toBe(once);
      },
    );
  });
});

describe('parseSavableUrl', () => {
  it('reads http and https addresses', () => {
    expect(parseSavableUrl(' https://example.com/a ').href).toBe('https://example.com/a');
    expect(parseSavableUrl('http://localhost:3000/').href).toBe('http://localhost:3000/');
  });

  it.each([
    ['', /is empty/],
    ['example.com/x', /put https:\/\/ in front/],
    ['localhost:3000/x', /put https:\/\/ in front/],
    ['what is this', /not a web address/],
    ['ftp://example.com/x', /must begin with https/],
    ['javascript:alert(1)', /must begin with https/],
    ['file:///etc/hosts', /commonplace save <file>/],
    ['https://user:secret@example.com/', /remove the part before the @/],
    [`https://example.com/${'a'.repeat(2_048)}`, /longer than 2048 characters/],
    [`https://example.com/${'漢'.repeat(2_000)}`, /longer than 2048 characters/],
  ])('refuses %j with advice', (input, message) => {
    expect(() => parseSavableUrl(input)).toThrow(message);
    expect(() => parseSavableUrl(input)).toThrow(AppError);
  });
});

describe('deepLink', () => {
  it.each([
    ['https://www.youtube.com/watch?v=dQw4w9WgXcQ', 'https://www.youtube.com/watch?v=dQw4w9WgXcQ&t=90'],
    ['https://youtu.be/dQw4w9WgXcQ', 'https://youtu.be/dQw4w9WgXcQ?t=90'],
    ['https://www.youtube.com/shorts/dQw4w9WgXcQ?t=5', 'https://www.youtube.com/watch?v=dQw4w9WgXcQ&t=90'],
    ['https://www.youtube.com/watch?v=dQw4w9WgXcQ&t=5s', 'https://www.youtube.com/watch?v=dQw4w9WgXcQ&t=90'],
    ['https://example.com/talk.mp4?key=a%2Fb', 'https://example.com/talk.mp4?key=a%2Fb#t=90'],
  ])('opens %s at a second', (url, expected) => {
    expect(deepLink(url, { kind: 'time', seconds: 90.9 }, null)).toBe(expected);
  });

  it('opens a page', () => {
    expect(deepLink('https://example.com/a.pdf#x', { kind: 'page', page: 12 }, null)).toBe(
      'https://example.com/a.pdf#page=12',
    );
  });

  it('keeps the fragment of the address beside the directive', () => {
    const place = { kind: 'text', start: 0, end: 4 } as const;
    expect(deepLink('https://example.com/a', place, 'word')).toBe('https://example.com/a#:~:text=word');
    expect(deepLink('https://example.com/a#part', place, 'word')).toBe('https://example.com/a#part:~:text=word');
    expect(deepLink('https://example.com/a#:~:text=old', place, 'word')).toBe('https://example.com/a#:~:text=word');
    expect(deepLink('https://example.com/a#part', place, null)).toBe('https://example.com/a#part');
    expect(deepLink('file:///home/someone/a.md', place, 'word')).toBe('file:///home/someone/a.md');
  });
});
