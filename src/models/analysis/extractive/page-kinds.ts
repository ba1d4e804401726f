import { checklist } from '../../../domain/records/analyses/analysis.ts';
import type { AnalysisInput } from '../analyst.ts';
import { maxTitle, type SourceSentence } from './candidates.ts';

/*
 * Pages whose instructions are nothing to do for the person who saved them, told by the page as a whole.
 */

const past = /\b(?:was|were|had|said|did)\b/i;
/** A number of kitchen measures, in the seven languages. */
const measure =
  /\b\d+(?:[.,/]\d+)? ?(?:g|kg|ml|dl|cl|oz|cups?|tbsp|tsp|(?:table|tea)spoons?|EL|TL|Esslöffel|Teelöffel|cuill\p{L}*|cuchar\p{L}*|cucchiai\p{L}*|colher\p{L}*|eetlepels?|theelepels?)\b/gu;
/** A letter speaks to somebody else. */
export const greeting = /^(?:dear|liebe[rs]?|ch[eè]re?s?|querid[oa]s?|car[oaie]|beste|lieve) \p{Lu}/iu;
const farewell =
  /^(?:yours|love|best wishes|kind regards|sincerely|liebe grüße|bises|un abrazo|un abbraccio|um abraço|groetjes)(?!\p{L})/iu;
const fewSentences = 12;
/** Only the beginnings of sentences are looked at: a text without stops is one sentence. */
const maxExamined = 1_000;

/** Titles and headings of advice. */
const advice =
  /\b(?:how (?:to|do|should)|what (?:to|should)|things to|ways?|tips?|steps?|guide(?! to )|guide to \p{L}+ing|advice|mistakes|habits|ideas|check-?list|choos(?:e|ing)|best time|beginner['’]?s?)\b/iu;

/** True if an English title, or the heading above a sentence, announces advice. A text without a title may give some. */
export function announcesAdvice(title: string | null, heading: string): boolean {
  return title === null || advice.test(title) || advice.test(heading);
}

/** A text about programs, a shop's shelf, a story, a letter, or a text of earlier centuries. */
export function instructsNobody(
  { title, text, blocks }: Pick<AnalysisInput, 'title' | 'text' | 'blocks'>,
  sentences: readonly SourceSentence[],
): boolean {
  const name = (title ?? '').slice(0, maxTitle);
  const code = blocks.filter(({ kind }) => kind === 'code');
  const characters = code.reduce((sum, { start, end }) => sum + end - start, 0);
  if (code.length >= 3 || characters > 0.2 * text.length || /\b1[0-8]\d\d\b/.test(name)) return true;
  const share = (test: (plain: string) => boolean): number =>
    sentences.filter(({ plain }) => test(plain.slice(0, maxExamined))).length / sentences.length;
  const [first, last] = [sentences[0]?.plain ?? '', sentences.at(-1)?.plain ?? ''];
  if (greeting.test(first) || farewell.test(last)) return true;
  if (sentences.length >= 5 && share((plain) => past.test(plain)) > 0.4) return true;
  if (sentences.length < fewSentences) return false;
  if ((text.match(/(?<!`)`(?!`)/g)?.length ?? 0) > 0.2 * sentences.length) return true;
  // Names, prices and menus are no sentences; neither are the lines of a list to tick off.
  return !checklist.test(name) && share((plain) => plain.split(' ', 5).length < 5) >= 0.4;
}

/** Headings above what a thing is good for, in languages whose instructions are not judged by likeness. */
export const ofProperties = /\b(?:vorteile|nachteile|avantages|ventajas|vantaggi|vantagens|voordelen)\b/i;

export function isRecipe({ title }: Pick<AnalysisInput, 'title'>, sentences: readonly SourceSentence[]): boolean {
  if (
    /\b(?:recipes?|rezepte?|recettes?|recetas?|ricett[ae]|receitas?|recept(?:en)?)\b/i.test(
      (title ?? '').slice(0, maxTitle),
    )
  )
    return true;
  let ingredients = 0;
  return sentences.some(({ plain, kind }) => {
    const measures = plain.slice(0, maxExamined).match(measure)?.length ?? 0;
    if (measures > 0 && kind === 'list' && plain.length < 60) ingredients += 1;
    return measures >= 3 || ingredients >= 3;
  });
}
