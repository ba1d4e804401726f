import { describe, expect, it } from 'vitest';
import { tidyMarkdown } from '../../src/sources/page/markdown/tidy-markdown.ts';

describe('tidyMarkdown', () => {
  it.each([
    ['a [link](https://a.test/x_(y)) stays', 'a [link](https://a.test/x_(y)) stays'],
    ['[\n\n### A card\n\nwith words\n\n](https://a.test)\n\nafter', '\n\n### A card\n\nwith words\n\n\n\nafter'],
    [
      '[\n\n![an\n\nimage](https://a.test/i.png)\n\nwords\n](https://a.test)',
      '\n\n![an image](https://a.test/i.png)\n\nwords\n',
    ],
    ['```\n[\nx\n](https://a.test)\n```', '```\n[\nx\n](https://a.test)\n```'],
    ['a [note\nin brackets] and \\[escaped\n](x)', 'a [note\nin brackets] and \\[escaped\n](x)'],
    ['the code E\\_BLIGHT\\_0x7F, \\_not\\_ this', 'the code E_BLIGHT_0x7F, \\_not\\_ this'],
    ['### 3\\. Use Thirds\n\n3\\. is no list', '### 3. Use Thirds\n\n3\\. is no list'],
    ['```\nE\\_X\n```', '```\nE\\_X\n```'],
    ['[open\n\n[inner](https://a.test) end', '[open\n\n[inner](https://a.test) end'],
  ])('%j', (markdown, tidy) => {
    expect(tidyMarkdown(markdown)).toBe(tidy);
  });

  it.each(['[', '[\n', '](', '[\n](', '```\n', 'a\\_b', '1\\.'])('is quick on 100,000 times %j', (piece) => {
    expect(tidyMarkdown(piece.repeat(100_000)).length).toBeGreaterThan(0);
  });
});
