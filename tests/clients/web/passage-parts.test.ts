import { expect, it } from 'vitest';
import { partsOf } from '../../../web/reading/source.ts';

const shown = (passage: string) =>
  partsOf(passage).map(({ source, isCode }) => (isCode ? { code: source.text } : source.text));

it('shows code unchanged, with comments and indentation, and other lines without their marks', () => {
  const passage = '## See\n\n```sh\n# what it holds\nrun  --all\n```\n\n- First\n> Second\n\n```\n```\nLast';
  expect(shown(passage)).toEqual([{ code: '# what it holds\nrun  --all' }, 'First', 'Second', 'Last']);
  for (const { source } of partsOf(passage))
    expect(passage.slice(source.offsetOf(0), source.offsetOf(source.text.length))).toBe(source.text);
});

it('shows a passage that begins or ends within code as paragraphs', () => {
  expect(shown('run --all\n```\n\nThen wait.')).toEqual(['run --all', 'Then wait.']);
  expect(shown('## A heading alone')).toEqual(['## A heading alone']);
});
