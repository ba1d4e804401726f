import { shortened } from '../../../domain/text/shortened.ts';
import type { SourceSentence } from './candidates.ts';
import { beginsPost } from './outline.ts';
import { countTerms } from './rank.ts';
import { type Page, type Scored, titleShare } from './score-sentences.ts';
import { stopped } from './statements.ts';
import { wordsOf } from './words.ts';

/* Of a discussion, the summary is what is asked and the best answer. */

/** Questions of an asker among which the one nearest to the title is looked for. */
const maxAsked = 100;

/** A summary, and the sentences that it says. */
export interface Chosen {
  text: string | null;
  picked: readonly Scored[];
}

/** The sentences of the first post, which may have headings of its own. */
function openingPost(found: readonly SourceSentence[]): readonly SourceSentence[] {
  const opening = found[0]?.heading ?? '';
  const end = found.findIndex(({ heading }) => heading !== opening && beginsPost(heading));
  return end === -1 ? found : found.slice(0, end);
}

/** Finds the answers in a discussion, by others than the asker: early answers, how they begin, and the asker's words count. */
export function answersAmong(saying: readonly Scored[], found: readonly SourceSentence[]): Scored[] {
  const firstPost = openingPost(found);
  const opening = found[0]?.heading ?? '';
  const asker = beginsPost(opening) ? opening.split(' · ')[0] : undefined;
  const answers = saying.filter(
    ({ sentence: { heading, plain, index } }) =>
      index >= firstPost.length &&
      plain.length >= 40 &&
      plain.length <= 280 &&
      !/\bdiscussion starter\b/i.test(heading) &&
      (asker === undefined || !heading.startsWith(asker)),
  );
  const asked = countTerms(firstPost.map(({ plain }) => plain).join(' '));
  const posts = [...Map.groupBy(answers, ({ sentence: { heading } }) => heading).values()];
  return posts.flatMap((post, n) =>
    post.map((one, place) => ({
      ...one,
      score:
        one.score +
        titleShare(asked, one.terms) * Math.min(1, one.sentence.plain.length / 100) +
        0.5 / (1 + n) +
        (place === 0 ? 0.5 : 0),
    })),
  );
}

/** Question and answer: the asker's question that is nearest to the title, and the best of what others say. */
export function discuss(
  found: readonly SourceSentence[],
  scored: readonly Scored[],
  answers: readonly Scored[],
  { title, table, label }: Page,
  maxCharacters: number,
): Chosen {
  const firstPost = openingPost(found);
  const ofTitle = countTerms(title, table?.stopWords);
  const near = ({ plain }: SourceSentence): number =>
    titleShare(countTerms(plain, table?.stopWords), ofTitle) + Math.min(1, plain.length / 100) / 2;
  const asked = firstPost
    .filter(({ plain }) => /\?["')]*$/.test(plain) && plain.length <= 250 && wordsOf(plain).length >= 5)
    .slice(0, maxAsked)
    .toSorted((x, y) => near(y) - near(x))[0];
  const openings = scored.filter(({ sentence: { index, plain } }) => index < firstPost.length && plain.length <= 280);
  const lead = openings.find(({ sentence }) => sentence.plain.length >= 50) ?? openings[0];
  const question =
    asked?.plain.replace(/^question: ?/i, '') ?? (title.endsWith('?') || lead === undefined ? title : '');
  const answer = answers
    .filter(({ sentence }) => sentence.index >= firstPost.length)
    .toSorted((x, y) => y.score - x.score)[0]?.sentence;
  const next = found.find(
    ({ index, block, plain }) =>
      answer !== undefined &&
      index === answer.index + 1 &&
      block === answer.block &&
      plain.length <= 180 &&
      !plain.endsWith(':'),
  );
  const said = [answer, next].flatMap((one) => (one === undefined ? [] : stopped(one.plain))).join(' ');
  const text = [
    ...(lead === undefined ? [] : [stopped(lead.sentence.plain)]),
    ...(question === '' ? [] : [`${label('question')}${stopped(question)}`]),
    ...(said === '' ? [] : [`${label(question === '' ? 'reply' : 'answer')}${said}`]),
  ].join(' ');
  const used = new Set([lead?.sentence, answer, next]);
  return {
    text: text === '' ? null : shortened(text, maxCharacters),
    picked: scored.filter(({ sentence }) => used.has(sentence)),
  };
}
