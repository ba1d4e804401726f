import { describe, expect, it } from 'vitest';
import { type BestFound, judgeMatch } from '../../src/search/match.ts';

const floors = { weak: 0.2, doubtful: 0.3 };

const best = (score: number, scoreByWords: number): BestFound => ({
  passage: { text: 'Rust never sleeps' },
  score,
  scoreByWords,
});

describe('whether anything saved is close', () => {
  it.each([
    ['a high score', 0.5, 0, 'strong'],
    ['a low one', 0.1, 0.5, 'weak'],
    ['a doubtful one whose words are found', 0.25, 0.4, 'strong'],
    ['a doubtful one whose words are not', 0.25, 0.1, 'weak'],
  ])('is told by words and meaning: %s', (_, score, byWords, match) => {
    expect(judgeMatch(best(score, byWords), floors, [])?.match).toBe(match);
  });

  it('is told by words alone, where only words were compared', () => {
    expect(judgeMatch(best(0.5, 0.5), null, [])).toEqual({ match: 'strong' });
    const weak = judgeMatch(best(0.1, 0.1), null, []);
    expect(weak).toMatchObject({ match: 'weak' });
    expect(weak?.hint).toContain('in the language of what was saved');
  });

  it('is not when nothing was found', () => {
    const none = judgeMatch({ passage: undefined, score: 0, scoreByWords: 0 }, floors, []);
    expect(none).toEqual({ match: 'weak', hint: 'Nothing saved is close to this question.' });
  });

  it('is not told for a model whose scores nobody has measured', () => {
    expect(judgeMatch(best(0.9, 0.9), undefined, [])).toBeNull();
  });

  it('holds for a phrase that stands there word for word', () => {
    expect(judgeMatch(best(0.1, 0), floors, ['never sleeps'])).toEqual({ match: 'strong' });
    expect(judgeMatch(best(0.1, 0), floors, ['sleeps'])?.match).toBe('weak');
  });
});
