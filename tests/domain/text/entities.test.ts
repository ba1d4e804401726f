import { expect, test } from 'vitest';
import { captionLines } from '../../../src/domain/captions/timed-lines.ts';
import { decodeEntities } from '../../../src/domain/text/entities.ts';
import { inlineText } from '../../../src/domain/text/inline-text.ts';

test.each([
  ['caf&eacute; &amp; tea', 'café & tea'],
  ['&#8220;so&#x201d;', '“so”'],
  ['10&nbsp;km, 20&#160;km', '10 km, 20 km'],
  ['walk&shy;ing', 'walking'],
  ['shalom&lrm;!', 'shalom!'],
  ['&nosuch; &amp &;', '&nosuch; &amp &;'],
  ['&amp;eacute;', '&eacute;'],
])('%s is %s', (text, decoded) => {
  expect(decodeEntities(text)).toBe(decoded);
});

test('text that is not an entity is unchanged', () => {
  expect(decodeEntities('a\u00a0b &amp; c\u200ed')).toBe('a\u00a0b & c\u200ed');
});

test('a mark of direction written as an entity splits no words, in captions and in Markdown', () => {
  expect(captionLines('shalom&lrm;!')).toBe('shalom!');
  expect(inlineText('shalom&lrm;! walk&shy;ing')).toBe('shalom! walking');
});
