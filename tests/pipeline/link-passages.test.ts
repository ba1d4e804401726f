import { expect, it } from 'vitest';
import type { ContentType } from '../../src/domain/records/content.ts';
import { layOutTranscript } from '../../src/domain/records/document.ts';
import type { Locator } from '../../src/domain/records/locator.ts';
import { linkPassages } from '../../src/pipeline/splitting/split.ts';

/** What the links of passages say, of which each is a paragraph. */
function fragments(paragraphs: string[], contentType: ContentType = 'article', locator?: Locator) {
  const transcript = layOutTranscript(paragraphs.map((text) => ({ kind: 'paragraph', text })));
  const passages = transcript.blocks.map(({ start, end }, ordinal) => {
    const place = locator ?? { kind: 'text' as const, start, end };
    return { ordinal, start, end, headingPath: [], locator: place };
  });
  const linked = linkPassages(passages, { transcript, contentType });
  expect(linked).toMatchObject(passages);
  return linked.map(({ fragment }) => fragment);
}

it('passages of a page say where a link to them leads, or that none leads there', () => {
  expect(fragments(['One fox.', '***', 'Two wolves.'])).toEqual(['One%20fox', null, 'Two%20wolves']);
});

it('passages of what is no page, of recordings and of very long pages are not linked in advance', () => {
  expect(fragments(['One fox.'], 'ebook')).toEqual([undefined]);
  expect(fragments(['One fox.'], 'article', { kind: 'time', seconds: 3 })).toEqual([undefined]);
  expect(fragments(['One fox.', 'Much more. '.repeat(40_000)])).toEqual([undefined, undefined]);
});
