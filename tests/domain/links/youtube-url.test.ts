import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { youtubePageName, youtubeVideoId } from '../../../src/domain/links/youtube-url.ts';
import { forAll } from '../../support/for-all.ts';

const id = 'dQw4w9WgXcQ';
const watch = encodeURIComponent(`https://www.youtube.com/watch?v=${id}&t=3`);

describe('the video of an address', () => {
  it.each([
    `https://youtube.com/watch?app=desktop&v=${id}`,
    `https://youtu.be/${id}/?si=x`,
    `https://m.youtube.com/shorts/${id}?feature=share`,
    `https://www.youtube.com/live/${id}`,
    `https://www.youtube.com/embed/${id}?list=PL1&start=90`,
    `https://music.youtube.com/watch?v=${id}&list=RD`,
    `https://www.youtube-nocookie.com/embed/${id}`,
    `https://www.youtube.com./watch?v=${id}`,
    `https://www.youtube.com/attribution_link?a=1&u=%2Fwatch%3Fv%3D${id}`,
    `https://www.youtube.com/redirect?event=comments&q=${watch}`,
    `https://consent.youtube.com/m?continue=${watch}&gl=DE`,
    `https://www.google.com/sorry/index?continue=${watch}&q=abc`,
  ])('is found in %s', (url) => {
    expect(youtubeVideoId(new URL(url))).toBe(id);
    expect(youtubePageName(new URL(url))).toBeNull();
  });

  it.each([
    `https://youtube.com.evil.example/watch?v=${id}`,
    `https://notyoutube.com/watch?v=${id}`,
    `https://youtu.be.evil.example/${id}`,
    `https://evil.example/youtube.com/watch?v=${id}`,
    `https://evil.example/attribution_link?u=%2Fwatch%3Fv%3D${id}`,
    `https://www.google.com/search?continue=${watch}`,
    `https://www.youtube.com@evil.example/watch?v=${id}`,
  ])('is not found in the look-alike %s', (url) => {
    expect(youtubeVideoId(new URL(url))).toBeNull();
    expect(youtubePageName(new URL(url))).toBeNull();
  });

  it.each([
    ['https://www.youtube.com/playlist?list=PL1', 'a YouTube playlist'],
    ['https://www.youtube.com/embed/videoseries?list=PL1', 'a YouTube playlist'],
    ['https://www.youtube.com/@someone/videos', 'a YouTube channel'],
    ['https://m.youtube.com/channel/UC123', 'a YouTube channel'],
    ['https://www.youtube.com/results?search_query=bees', 'a YouTube search'],
    ['https://www.youtube.com/watch?v=tooshort', expect.stringContaining('video id')],
    ['https://youtu.be/dQw4w9WgXcQextra', expect.stringContaining('video id')],
    ['https://www.youtube.com/shorts/', expect.stringContaining('video id')],
    ['https://www.youtube.com/feed/trending', 'a YouTube page without a video'],
    ['https://www.youtube.com/redirect?q=https%3A%2F%2Fexample.com', 'a YouTube page without a video'],
  ])('is missing, and %s is reported', (url, name) => {
    expect(youtubeVideoId(new URL(url))).toBeNull();
    expect(youtubePageName(new URL(url))).toEqual(name);
  });

  it('is searched in nested addresses only to a limited depth', () => {
    let url = `https://www.youtube.com/watch?v=${id}`;
    for (let depth = 0; depth < 9; depth += 1) url = `https://www.youtube.com/redirect?q=${encodeURIComponent(url)}`;
    expect(youtubeVideoId(new URL(url))).toBeNull();
  });

  it('is always a valid id', () => {
    forAll(fc.webUrl({ withQueryParameters: true, withFragments: true }), fc.string(), (url, tail) => {
      const found = youtubeVideoId(new URL(`https://www.youtube.com/watch?v=${encodeURIComponent(tail)}`));
      expect(found === null || found === tail).toBe(true);
      expect(youtubeVideoId(new URL(url))).toBeNull();
    });
  });
});
