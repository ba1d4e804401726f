import { describe, expect, it } from 'vitest';
import { tidyMarkdown } from '../../../src/sources/page/markdown/tidy-markdown.ts';
import { withoutShortcodes } from '../../../src/sources/page/html/level-source.ts';
import { growthOf, maxGrowth } from '../../support/texts/growth.ts';

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
    ['### 3\\. Use Thirds\n\n3\\. is not a list', '### 3. Use Thirds\n\n3\\. is not a list'],
    ['```\nE\\_X\n```', '```\nE\\_X\n```'],
    ['[open\n\n[inner](https://a.test) end', '[open\n\n[inner](https://a.test) end'],
  ])('%j', (markdown, tidy) => {
    expect(tidyMarkdown(markdown)).toBe(tidy);
  });

  it.each(['[', '[\n', '](', '[\n](', '```\n', 'a\\_b', '1\\.'])('is quick on 100,000 times %j', (piece) => {
    expect(tidyMarkdown(piece.repeat(100_000)).length).toBeGreaterThan(0);
  });
});

describe('Shortcodes of page builders', () => {
  it('are removed from text, with their attributes', () => {
    expect(
      withoutShortcodes(
        '<p>[vc_row css=&#8221;.a{margin:1px}&#8221;][vc_column_text]Honey[/vc_column_text][/vc_row]</p>',
      ).replaceAll(/ +/g, ' '),
    ).toBe('<p> Honey </p>');
    expect(withoutShortcodes('<p>[et_pb_section fb_built="1"]Wax</p>')).toBe('<p> Wax</p>');
  });

  it('stay in code, and other brackets stay in text', () => {
    const page = '<p>Write <code>[vc_row]</code> [1] and [sic].</p><pre>[vc_column]</pre>';
    expect(withoutShortcodes(`${page}<p>[vc_row]</p>`)).toContain('<code>[vc_row]</code>');
    expect(withoutShortcodes(`${page}<p>[vc_row]</p>`)).toContain('<pre>[vc_column]</pre><p> </p>');
    const brackets = '<p>A note [1], [sic], the list[us_states], [su].</p>';
    expect(withoutShortcodes(`${brackets}[vc_row]`)).toBe(`${brackets} `);
  });

  it.each([
    ['that are never closed', '[vc_row '],
    ['between elements of code', '<code>[vc_row]'],
  ])('%s take time in proportion to their number', (_name, part) => {
    expect(growthOf((size) => part.repeat(size), withoutShortcodes, 20_000)).toBeLessThan(maxGrowth);
  });
});
