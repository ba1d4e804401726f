import { describe, expect, it } from 'vitest';
import { withoutShortcodes } from '../../src/sources/page/html/level-source.ts';
import { growthOf, maxGrowth } from '../support/texts/growth.ts';

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
