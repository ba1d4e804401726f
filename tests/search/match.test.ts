import { describe, expect, it } from 'vitest';
import { judgeMatch } from '../../src/search/match.ts';
import type { ScoredPassage } from '../../src/search/scored-passage.ts';

const floors = { weak: 0.2, doubtful: 0.3 };
const noPhrase = { phrases: [] };

const passage = (score: number, more: Partial<ScoredPassage> = {}) =>
  ({ text: 'Rust never sleeps', score, ...more }) as ScoredPassage;

describe('whether anything saved is close', () => {
  it.each([
    ['a high score', 0.5, 0, 'strong'],
    ['a low one', 0.1, 0.5, 'weak'],
    ['a doubtful one whose words are found', 0.25, 0.4, 'strong'],
    ['a doubtful one whose words are not', 0.25, 0.1, 'weak'],
  ])('is told by words and meaning: %s', (_, score, byWords, match) => {
    expect(judgeMatch(passage(score), byWords, floors, noPhrase)?.match).toBe(match);
  });

  it('is told by words alone, where only words were compared', () => {
    expect(judgeMatch(passage(0.5), 0.5, null, noPhrase)).toEqual({ match: 'strong' });
    const weak = judgeMatch(passage(0.1), 0.1, null, noPhrase);
    expect(weak).toMatchObject({ match: 'weak' });
    expect(weak?.hint).toContain('in the language of what was saved');
  });

  it('is not when nothing was found', () => {
    expect(judgeMatch(undefined, 0, floors, noPhrase)).toMatchObject({ match: 'weak' });
  });

  it('is not told for a model whose scores nobody has measured', () => {
    expect(judgeMatch(passage(0.9), 0.9, undefined, noPhrase)).toBeNull();
  });

  it('holds for a phrase that stands there word for word', () => {
    expect(judgeMatch(passage(0.1), 0, floors, { phrases: ['never sleeps'] })).toEqual({ match: 'strong' });
    expect(judgeMatch(passage(0.1), 0, floors, { phrases: ['sleeps'] })?.match).toBe('weak');
  });

  it('takes no account of what a goal added', () => {
    const raised = passage(0.33, { goal: { goalId: 'g_aaaaaaaaaaaaaaaa', factor: 2 } });
    expect(judgeMatch(raised, 0.1, floors, noPhrase)?.match).toBe('weak');
  });
});
