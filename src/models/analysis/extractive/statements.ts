import type { SourceSentence } from './candidates.ts';
import type { LanguageTable } from './languages/tables.ts';
import { begins, contains, phrases, termsOf, wordsOf } from './words.ts';

/*
 * Which sentences may speak for a text: complete ones about its subject that are understood without the one before. The
 * phrases are English; other languages have their own in `languages/`.
 */

/** Longer texts are no statements. Only this many characters of a text are compared with phrases. */
const maxStatement = 450;
const minWords = 6;

/** Text about the page, its site, its seller or its author instead of its subject. */
const furniture =
  phrases(`subscribe, subscriber, subscribers, newsletter, sign up, signing up, sign in, signed in, log in, login, cookie, cookies, privacy policy, terms of use, terms of service, terms and conditions, terms apply,
  all rights reserved, copyright, affiliate, commission, commissions, commissionable, sponsor, sponsored, sponsors, disclaimer, click, continue reading, read more, advertisement, advertising, advertisements, originally published,
  follow us, follow me, follow along, leave a comment, leave a reply, getty images, shutterstock, unsplash, credit, javascript, lorem ipsum, dolor, veniam, consectetur, adipiscing, pinterest, instagram, free shipping, free returns,
  free delivery, free consultation, free quote, free trial, we ship, use code, standard shipping, standard delivery, express shipping, express delivery, buyer pays, seller pays, return shipping, refund, refunds, in stock, wears size,
  wears a size, wearing a size, add to cart, add to bag, add to basket, contact us, call us, visit us, email us, message us, reach out to, get in touch with, schedule your, schedule a, request a demo, request a quote, download the,
  download our, download my, download your, your email, your inbox, your browser, your cart, learn more about, learn more at, for more info, for more information, for more details, for more tips, for more on, for more about, for a more,
  for a complete, for a full, for information, shop now, shop our, shop the, photo by, photos by, photograph by, photographs by, photo courtesy, image by, images by, image courtesy, image via, our readers, our editors, our methodology,
  our privacy, our website, our store, our blog, appeared first on, may receive, may earn, at no extra cost, at no additional cost, is subject to change, are subject to change, please note, please read, please see, please contact,
  please visit, thanks to, thanks you, thank you, thanks for, marked as, mark as, tagged as, min read, minutes read, see also, see below, see the, see our, see chapter, see section, user's own risk, used with permission,
  you are a client, you're a client, eligible for, expert assistance, informational purposes, informational resource, endorse, endorsement, inclusion does not, outlet, in stores, sale periods, your purchase, the pdf, our pdf,
  data comes from, test conditions, resistance test, write to, how-to, warranty period, discounts do, discounts does, orders placed, orders received, orders dispatched, gift card, gift cards, arxiv, doi, isbn, et al, lecture notes,
  orders ship, orders are, ship within, ships within, discount code, promo code, coupon code, in the comments, leave a review, proceedings of, welcome back, welcome to, for joining, for listening, for reading, for watching, for tuning in, link in the, links in the, see you next, this form, stop by, good news, our team, ready to ship, ship out, trade-in, defective, free online, your order, day shipping, day returns`);
/** First words of captions, bylines and greetings. */
const captions =
  phrases(`written by, posted by, published by, reviewed by, photographed by, edited by, updated by, illustrated by, written on, posted on, published on, updated on,
  last updated, last modified, last reviewed, hi, hello, hey, changed in version, new in version, added in version, deprecated in version`);
const captionMarks =
  /^(?:images?|photos?|photographs?|pictures?|pictured|credits?|sources?|figure \d+|above|below|left|right|notes?|editor['’]s note|update|correction|disclosure|tags|filed under|related)\s?[:|(]/i;
/** Leftover Markdown, links, citations and entries of a log. */
const leftovers =
  /\]\(|!\[|(?:^|\s)##|\*\*|https?:|\bsee [A-Z]|\[[A-Z][\p{L}+]{1,20}\d\d\]|\b(?:19|20)\d\d\)|\\|\s--\p{L}|^(?:[-–—•·*,;👉]|["“”][-–—]|\d{4}-\d\d-\d\d\b)/u;

/** Who wrote it, with what experience. */
const authors = phrases(
  `writer, editor, journalist, photographer, author, blogger, reporter, columnist, contributor, founder, co-founder, enthusiast`,
);
const aboutAuthor = /(?:\b(?:is|was|as)|,) (?:an?|the) |\byears of\b/iu;
const personalOpening = phrases(`i'm, i am, my name is, i have been, i've been`);

/** Phrases that announce what the text is going to say: no reader knows more afterwards. */
const promises =
  phrases(`in our article, our guide, my guide, our series, guide series, we'll, i'll, we will, i will, we're going to, i'm going to, i want to, we want to, i wanted to, we wanted to, i'd like to, we'd like to, you'll learn,
  you will learn, you'll find, you will find, you'll discover, you'll see, you will see, you'll also learn, you can find, you can read, let's, let us, read on, keep reading, keep scrolling, check out, here are, here is, here's, here you,
  below are, below is, below you, in the next, the following, as follows, without further ado, take a look, a closer look, deep dive, step-by-step guide, to find out, find out how, find out what, find out why, find out more, what to expect,
  everything you need to, from start to finish, looking for a, looking for an, looking for the, looking for some, structured as, is organized as, is organised as, is divided into, previous essay, previous article, previous post,
  next article, next post, last article, first essay, first three essays, final essay`);

/** Phrases that any text on any subject could have. */
const hollow =
  phrases(`in today's, in the ever, in the fast, in the rapidly, in the modern, in the digital, in the age of, in the world of, in the realm of, in an ever, in our modern, in our digital, fast-paced, fast paced, ever-changing,
  ever changing, ever-evolving, ever evolving, rapidly changing, rapidly evolving, constantly changing, constantly evolving, has never been, have never been, than ever, no secret, when it comes to, game changer, game-changer,
  whether you, whether you're, look no further, the good news is, the great news is, needless to say, daunting, overwhelming, exciting, journey, unlock, elevate, seamless, seamlessly, seismic, landscape has, new era, new dawn, a wave of,
  peace of mind, dream, love letter, the next level, pushing the envelope, cutting-edge, cutting edge, endless, stay ahead, staying ahead, a pivotal role, a crucial role, a vital role, a key role, offers many, offer many, has many,
  have many, are many, offers various, offer various, offers several, offers a variety, offer a variety, a variety of options, always looking for, a great way, a rapid pace, seemingly, proud to, never fun, must-have, must have, is fun, is important, is essential,
  is crucial, is vital`);

/** First words that lean on the sentence before. */
const continues =
  phrases(`and, but, or, similar, both, nor, so, yet, however, that, such, then, instead, again, therefore, thus, hence, still, besides, moreover, furthermore, further, additionally, similarly, likewise, meanwhile, finally, firstly, secondly, thirdly, lastly, next, otherwise, afterward,
  afterwards, later, consequently, accordingly, conversely, alternatively, indeed, obviously, fortunately, unfortunately, luckily, sadly, anyway, either, other, others, another, here, here's, same, especially, plus, overall, nevertheless, nonetheless, ultimately,
  specifically, ok, okay, maybe, perhaps, edit, cause, there you, once you've, for example, for instance, for that, for starters, for context, in that, in addition, in contrast, in fact, in other words, in short, in particular, in turn, in practice, in general, in conclusion,
  in summary, in reality, as such, as a result, as a consequence, as you can, as we, as mentioned, as noted, as an example, on the other, on the one, on top of, on that, at that, at the same, at first, at the time, after that, after all, before that, by that, by doing, by contrast,
  by comparison, with that, from that, from there, to do so, to that end, to make matters, to be clear, of course, because of that, due to that, all of that, not only that, having said, even so, even then, if so, if not, if that, when it, without that`);
const openingsWithComma = /^(?:first|second|third|yes|no|well|now|sure|too|remember),? /iu;
/** Pronouns and determiners whose noun stands in an earlier sentence when they are among the first words. */
const pronouns = phrases(`it, it's, it'll, they, they're, they'll, they've, that's, there're, them, their, its`);
const pointers = phrases('this, these, those, also, the latter, the former');
/** "this year" and "those who" need no sentence before them. */
const times = phrases(
  'year, month, week, season, century, decade, summer, winter, spring, fall, autumn, time, morning, day, kind, sort, who, that, with, of',
);
const persons = /(?<![\p{L}’'])(?:he|she|his|her|him)(?![\p{L}])/iu;
/** A pronoun after an opening clause that does not say whom it means: "Founded in 1998, its shops …". */
const pronounAfterOpening =
  /^(?:after|at|before|by|for|from|in|instead|on|rather|to|with|\p{L}+(?:ed|ing)) [^,]{2,80}, (?:it|its|it['’]s|they|their|he|she|his|her) /iu;
const endings = /\b(?:though|too|either|as well)[.!]$/i;
/** Words that tell which one is meant after "the". */
const telling = phrases(
  'of, for, in, on, between, who, that, which, to, from, with, behind, at, most, best, first, biggest, largest, fastest, more, less',
);

const endsWithoutStop = /(?<![.!?。！？…][\p{Pe}\p{Pf}"']{0,3})(?:[\p{L}\p{N}]|[\p{Pe}\p{Pf}"])$/u;
const unspaced = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}]/u;

/** True if the script is written without spaces, so that a sentence has a third of the characters. */
export function isUnspaced(plain: string): boolean {
  return unspaced.test(plain);
}

/** Adds a full stop where there is none, as in a list item; otherwise the next sentence would run on from it. */
export function stopped(plain: string): string {
  return isUnstopped(plain) && !unspaced.test(plain.slice(-1)) ? `${plain}.` : plain;
}

export function isUnstopped(plain: string): boolean {
  return endsWithoutStop.test(plain);
}

/** True if it is a sentence of the text and not a question, a menu, a caption or a rest of markup. */
export function isSentence({ plain, kind, linked }: SourceSentence): boolean {
  if (plain.length < 15 || plain.length > maxStatement) return false;
  if (!unspaced.test(plain) && wordsOf(plain).length < minWords) return false;
  if (/[?？:：]["'”’)]*$/u.test(plain) || /^[…|]/u.test(plain)) return false;
  // Speech recognition writes neither capitals nor stops.
  if (kind !== 'caption' && /^\p{Ll}/u.test(plain)) return false;
  // An entry of a menu or of a table of contents.
  if (linked > 0.9 && isUnstopped(plain)) return false;
  return (plain.match(/[\p{L}\s]/gu)?.length ?? 0) / plain.length >= 0.7;
}

/** True if nearly all its words have a capital, as in menus, tables of contents and names. */
export function isOfNames(plain: string): boolean {
  const words = plain.slice(0, maxStatement).match(/\p{L}{4,}/gu) ?? [];
  return words.length >= 6 && words.filter((word) => /^\p{Lu}/u.test(word)).length > 0.7 * words.length;
}

export function isFurniture(plain: string, table: LanguageTable | null): boolean {
  const looked = plain.slice(0, maxStatement);
  if (leftovers.test(looked) || captionMarks.test(looked)) return true;
  if (table !== null) return table.boilerplate.test(looked);
  const words = wordsOf(looked);
  return looked.includes('©') || contains(words, furniture) || begins(words, captions);
}

/** True if it needs a sentence before it, other than the title. */
export function leans(plain: string, title: string, table: LanguageTable | null): boolean {
  if (table !== null) return table.continues.test(plain);
  const looked = plain.slice(0, maxStatement);
  const words = wordsOf(looked);
  const person = persons.exec(looked);
  return (
    begins(words, continues) ||
    openingsWithComma.test(plain) ||
    endings.test(plain.slice(-20)) ||
    pronounAfterOpening.test(looked) ||
    pointsBack(looked, title) ||
    (person !== null && person.index < 30 && !/\s\p{Lu}\p{Ll}/u.test(looked.slice(0, person.index))) ||
    words.slice(0, 5).some((word) => pronouns.has(word)) ||
    words.slice(0, 12).some((_, n) => begins(words.slice(n, n + 2), pointers) && !times.has(words[n + 1] ?? ''))
  );
}

/** "The cache is threadsafe": a noun that neither the title nor the words around it tell apart from others. */
function pointsBack(plain: string, title: string): boolean {
  if (!/^The [\p{Ll}\d]/u.test(plain)) return false;
  const next = plain.split(' ', 4).slice(1);
  if (/^(?:\S+ ){3,6}(?:who|which|that) /.test(plain)) return false;
  const known = new Set(termsOf(title));
  return (
    next.some((word) => /^\p{Ll}+['’]s$/u.test(word)) ||
    !next.some((word) => /^\p{Lu}/u.test(word) || telling.has(word) || termsOf(word).some((term) => known.has(term)))
  );
}

/** True if it introduces the text or its author instead of saying something about its subject. */
export function introduces(plain: string): boolean {
  const words = wordsOf(plain.slice(0, maxStatement));
  return (
    contains(words, promises) ||
    begins(words, personalOpening) ||
    (words.some((word) => authors.has(word)) && aboutAuthor.test(plain.slice(0, maxStatement)))
  );
}

export function isHollow(plain: string): boolean {
  return /!['”’)"]{0,3}$/u.test(plain) || contains(wordsOf(plain.slice(0, maxStatement)), hollow);
}
