import { array, assert, constantFrom, nat, property, string } from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createQuoteFinder } from '../../../src/domain/text/quotes.ts';

function found(text: string, quote: string): string | null {
  const span = createQuoteFinder(text)(quote);
  return span === null ? null : text.slice(span.start, span.end);
}

describe('finding a quote', () => {
  it.each([
    ['as it stands', 'Sleep is a skill that grows.', 'a skill that grows', 'a skill that grows'],
    [
      'across line breaks',
      'Sleep is\n  a skill\u00a0that grows.',
      'is a skill that grows',
      'is\n  a skill\u00a0that grows',
    ],
    ['with other line breaks', 'Sleep is a skill that grows.', 'Sleep is\na\tskill that', 'Sleep is a skill that'],
    ['composed and decomposed', 'Un cafe\u0301 serré le matin.', 'Un café serré', 'Un cafe\u0301 serré'],
    ['with ligatures', 'The ﬁrst oﬃce hour counts.', 'first office hour', 'ﬁrst oﬃce hour'],
    ['full-width', 'ＡＢＣ１２３ is the code.', 'ABC123 is the', 'ＡＢＣ１２３ is the'],
    ['with straight marks', 'He said “don’t stop” – twice.', `said "don't stop" - twice`, 'said “don’t stop” – twice'],
    ['with soft hyphens', 'An extra\u00adordinary claim.', 'An extraordinary claim', 'An extra\u00adordinary claim'],
    ['put into marks', 'Walk every day after lunch.', '“Walk every day after lunch”', 'Walk every day after lunch'],
    [
      'cut short',
      'Walk every day after lunch and dinner.',
      'Walk every day after lunch...',
      'Walk every day after lunch',
    ],
    ['of Hangul jamo', '매일 걷기를 \u1112\u1161\u11ab다 오늘', '걷기를 한다', '걷기를 \u1112\u1161\u11ab다'],
    ['in Chinese', '健康來自早睡早起和運動。', '早睡早起', '早睡早起'],
    ['over a border of paragraphs', 'It grows.\n\nGo to bed early.', 'It grows. Go to bed', 'It grows.\n\nGo to bed'],
    ['with a written ellipsis', 'Wait… and see what comes.', 'Wait... and see what', 'Wait… and see what'],
    [
      'in Arabic, with marks of direction',
      'قال \u200fالنوم مهارة تنمو\u200f كل ليلة',
      'النوم مهارة تنمو',
      'النوم مهارة تنمو',
    ],
    ['in Hindi', 'रोज़ सुबह टहलें और पानी पिएँ।', 'सुबह टहलें और पानी', 'सुबह टहलें और पानी'],
    [
      'in Russian, of a stressed vowel',
      'Сон — э\u0301то навык, который растёт.',
      'навык, который растёт',
      'навык, который растёт',
    ],
    [
      'in German marks',
      '„Schlaf ist eine Übung“, sagte sie.',
      '"Schlaf ist eine Übung", sagte',
      '„Schlaf ist eine Übung“, sagte',
    ],
    ['in Thai', 'การนอนหลับเป็นทักษะที่ฝึกได้', 'เป็นทักษะที่ฝึกได้', 'เป็นทักษะที่ฝึกได้'],
    ['with emoji', 'Go to bed 🙂🙂 at the same hour.', 'bed 🙂🙂 at the', 'bed 🙂🙂 at the'],
  ])('%s', (_, text, quote, expected) => {
    expect(found(text, quote)).toBe(expected);
  });

  it.each([
    ['another word', 'Sleep is a skill that grows.', 'Sleep is a talent that grows'],
    ['another case', 'Sleep is a skill that grows.', 'sleep is a SKILL'],
    ['a word left out', 'Sleep is a skill that grows.', 'Sleep is skill that grows'],
    ['parts of words', 'A concatenated therapist speaks.', 'cat and the'],
    ['half a word', 'The unbelievable happened again.', 'believable happened'],
    ['half a ligature', 'He pays oﬀ every debt he has.', 'He pays of'],
    ['too little', 'Sleep is a skill.', 'Sleep'],
    ['nothing', 'Sleep is a skill.', ' … '],
    ['half an emoji', 'Go to bed 🙂 at the same hour.', 'Go to bed \ud83d'],
    ['dots in the place of words', 'Walk every day after lunch and dinner.', 'Walk every day … and dinner'],
    ['two places joined by dots', 'Sleep is a skill. It pays. Eat well.', 'Sleep is a skill... Eat well.'],
    ['a translation', 'Schlaf ist eine Übung, die wächst.', 'Sleep is a practice that grows'],
    ['words that are only similar', 'Take two tablets a day.', 'Take ten tablets a day'],
    ['a negation left out', 'Do not take it with milk.', 'Do take it with milk'],
    ['words with something between', 'Sleep is a skill. Eat well.', 'Sleep is a skill Eat well'],
  ])('refuses %s', (_, text, quote) => {
    expect(found(text, quote)).toBeNull();
  });

  it('continues to an occurrence with whole words', () => {
    expect(createQuoteFinder('unspeakable truth; speakable truth')('speakable truth')).toEqual({ start: 19, end: 34 });
  });

  it('finds every run of whole words, however its spaces and forms were changed', () => {
    const word = constantFrom('sleep', 'café', 'ﬁne', '“so”', 'don’t', '🙂', 'naïve', '—', 'Ａ１', '東京都内', 'x');
    const space = constantFrom(' ', '\n', '\n\n', '\u00a0', '  \t');
    assert(
      property(
        array(word, { minLength: 6, maxLength: 40 }),
        array(space, { minLength: 40 }),
        nat(),
        (words, spaces, at) => {
          const text = words.map((one, index) => one + spaces[index % spaces.length]!).join('');
          const from = at % (words.length - 4);
          const quote = words
            .slice(from, from + 5)
            .join(' ')
            .normalize('NFKC');
          if (quote.replaceAll(/\s/g, '').length < 8) return;
          const slice = found(text, quote);
          expect(slice).not.toBeNull();
          expect(slice!.normalize('NFKC').replaceAll(/\s+/g, ' ')).toBe(quote.replaceAll(/\s+/g, ' '));
        },
      ),
    );
  });

  it('never throws and always returns a well-formed slice', () => {
    assert(
      property(string({ unit: 'binary', maxLength: 200 }), nat(), nat(), (text, from, length) => {
        const quote = text.slice(from % (text.length + 1), (from % (text.length + 1)) + (length % 60));
        const slice = found(text, quote);
        expect(slice === null || (slice.isWellFormed() && text.includes(slice))).toBe(true);
      }),
    );
  });
});
