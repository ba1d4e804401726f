/**
 * Decides whether a full stop after a word ends a sentence. The lists are short on purpose: they have the most frequent
 * abbreviations of saved articles, in English and languages with the same punctuation. Rules decide the rest.
 */

/** A name or number follows: "Dr. Who", "e.g. this", "vs. that". */
const neverLast = words(`
  dr mr mrs ms mx messrs prof rev hon gen col sgt capt cpt lt cmdr adm maj gov sen rep pres supt st mt ft
  e.g i.e eg ie vs viz cf esp approx ca incl resp
  z.b d.h u.a bzw hr hrn fr mme mlle p.ej sig dott
`);

/** Abbreviations only before a number: "No. 5", "pp. 3–4". "No." alone is a sentence. */
const beforeNumber = words(
  'no nos nr fig figs vol vols pp p ch sec art eq ref tab app ver op para abs bd s jan feb mar apr jun jul aug sep sept oct nov dec',
);

/** Abbreviations that may also end a sentence, if the next word looks like the start of one. */
const maybeLast = words(`
  etc inc ltd co corp llc bros jr sr esq al dept est assn univ ave blvd rd
  a.m p.m u.s u.k u.n e.u u.s.a d.c ph.d m.d b.a m.a b.c a.d r.d r.d.n usw
  jan feb mar apr jun jul aug sep sept oct nov dec mon tue tues wed thu thur thurs fri
`);

/** Words that begin sentences far more often than names. */
const starters = words(`
  the a an this that these those it its he she they we you i his her their our your my there here
  in on at for from with by as if when while after before since although though because so but and or yet
  what who where why how which however meanwhile instead then now also still finally first second once
  to of not no all some most many each every both one another according despite during until
  der die das ein eine es er sie wir ich und aber le la les un une il elle el los las
`);

const germanMonth = /^(?:Januar|Februar|März|April|Mai|Juni|Juli|August|September|Oktober|November|Dezember)\b/;

function words(list: string): ReadonlySet<string> {
  return new Set(list.trim().split(/\s+/));
}

/**
 * Whether a single full stop ends the sentence.
 * @param word the run of characters without white space before the stop
 * @param next what follows after the white space (a few characters are enough)
 * @param opensLine whether `word` is the first on its line, as a list's number is
 */
export function stopEndsSentence(word: string, next: string, opensLine: boolean): boolean {
  if (next === '') return true;
  const bare = word.replace(/^[^\p{L}\p{N}]+/u, '');
  const lower = bare.toLowerCase();
  if (opensLine && /^(?:\d{1,9}|[a-zA-Z])$/.test(bare)) return false;
  if (neverLast.has(lower)) return false;
  const follower = next.replace(/^[^\p{L}\p{N}]+/u, '');
  if (beforeNumber.has(lower) && /^\p{N}/u.test(follower)) return false;
  const abbreviates =
    (maybeLast.has(lower) && (!isMonthOrDay(lower) || /^\p{Lu}/u.test(bare))) ||
    /^(?:\p{L}\.)+\p{L}$|^\p{L}$/u.test(bare);
  if (abbreviates) return starters.has(firstWord(follower)) && /^\p{Lu}/u.test(follower);
  if (/^\d{1,2}$/.test(bare) && germanMonth.test(follower)) return false;
  // Casual writing and captions have no capitals. Unknown abbreviations are short, so a long word ends the sentence.
  if (/^\p{Ll}/u.test(next)) return /^\p{L}[\p{L}’'-]{4,}$/u.test(bare);
  return true;
}

function isMonthOrDay(lower: string): boolean {
  return /^(?:jan|feb|mar|apr|jun|jul|aug|sept?|oct|nov|dec|mon|tues?|wed|thu|thurs?|fri)$/.test(lower);
}

function firstWord(text: string): string {
  return (/^\p{L}+/u.exec(text)?.[0] ?? '').toLowerCase();
}
