import { describe, expect, it } from 'vitest';
import { type BestFound, judgeMatch, weakWords } from '../../src/search/match.ts';

const floors = { weak: 0.2, doubtful: 0.3 };

const best = (score: number, scoreByWords: number, scoreByMeaning = 0): BestFound => ({
  passage: { text: 'Rust never sleeps' },
  score,
  scoreByWords,
  scoreByMeaning,
  lacksRareWord: false,
  isNarrowed: false,
});
const nothing: BestFound = { ...best(0, 0), passage: undefined };

describe('the match level', () => {
  it.each([
    ['a high score', 0.5, 0, 'strong'],
    ['a low one', 0.1, 0.5, 'weak'],
    ['a doubtful one whose words are found', 0.25, 0.4, 'strong'],
    ['a doubtful one whose words are not', 0.25, 0.1, 'weak'],
  ])('depends on words and meaning: %s', (_, score, byWords, match) => {
    expect(judgeMatch(best(score, byWords), floors, [])?.match).toBe(match);
  });

  it('depends on words where only words were compared', () => {
    expect(judgeMatch(best(0.5, 0.5), weakWords('sleep'), [])).toEqual({ match: 'strong' });
    const weak = judgeMatch(best(0.1, 0.1), weakWords('sleep'), []);
    expect(weak).toMatchObject({ match: 'weak' });
    expect(weak?.hint).toContain('in the language of what was saved');
  });

  it('needs a lower score in Chinese, whose character pairs are often parts of two words', () => {
    const score = best(0.15, 0.15);
    expect(judgeMatch(score, weakWords('北京的烤鸭在哪里吃'), [])?.match).toBe('strong');
    expect(judgeMatch(score, weakWords('東京の雨の中で寿司を食べた'), [])?.match).toBe('weak');
  });

  it('is absent when nothing was found', () => {
    const none = judgeMatch(nothing, floors, []);
    expect(none).toEqual({ match: 'weak', hint: 'Nothing saved is close to this question.' });
  });

  it('depends on meaning alone where the passage uses other words', () => {
    const measured = { ...floors, meaning: 0.5 };
    expect(judgeMatch(best(0.26, 0.1, 0.52), measured, [])).toEqual({ match: 'strong' });
    expect(judgeMatch(best(0.24, 0.1, 0.48), measured, [])?.match).toBe('weak');
    expect(judgeMatch(best(0.26, 0.1, 0.52), floors, [])?.match).toBe('weak');
  });

  it('does not describe the whole library when filters excluded a part', () => {
    expect(judgeMatch({ ...nothing, isNarrowed: true }, floors, [])?.hint).toContain('without them');
  });

  it('is weak when the item lacks the only rare word of the question', () => {
    const lacking = { ...best(0.5, 0.4, 0.6), lacksRareWord: true };
    expect(judgeMatch(lacking, { ...floors, meaning: 0.5 }, [])?.match).toBe('weak');
  });

  it('is absent for a model whose scores were not measured', () => {
    expect(judgeMatch(best(0.9, 0.9), undefined, [])).toBeNull();
  });

  it('is strong for a phrase that occurs word for word', () => {
    expect(judgeMatch(best(0.1, 0), floors, ['never sleeps'])).toEqual({ match: 'strong' });
    expect(judgeMatch(best(0.1, 0), floors, ['sleeps'])?.match).toBe('weak');
  });
});
