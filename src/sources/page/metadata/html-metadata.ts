import { believableClaim } from './canonical-claim.ts';
import type { Marked, PageFacts } from '../html/html-scan.ts';
import type { JsonLdArticle } from './json-ld.ts';
import { bareName, meta, sameName, tidy } from './names.ts';
import { chooseTitle } from './title.ts';
import { dateInPath, parseMonth, parsePublished } from './published-date.ts';
import type { Hint } from '../reading.ts';

export type PageMetadata = ReturnType<typeof readMetadata>;

/**
 * Chooses title, author, site and date. The page's declarations come first (JSON-LD, meta tags, marked-up byline and `time`, the
 * date in the address), then the guesses of the extractors, best one first.
 */
export function readMetadata(
  facts: PageFacts,
  jsonLd: JsonLdArticle | null,
  url: string,
  hints: readonly Hint[],
  fetchedAt?: string,
) {
  const siteName =
    tidy(meta(facts, 'og:site_name')) ??
    tidy(jsonLd?.siteName ?? null) ??
    tidy(meta(facts, 'application-name')) ??
    firstOf(hints, (hint) => tidy(hint.siteName));
  return {
    title: chooseTitle(facts, jsonLd, siteName, url, hints),
    author: chooseAuthor(facts, jsonLd, siteName, hints),
    siteName,
    publishedAt: choosePublished(facts, jsonLd, url, hints, fetchedAt),
    canonicalUrl: chooseCanonical(facts, url),
  };
}

function chooseAuthor(
  facts: PageFacts,
  jsonLd: JsonLdArticle | null,
  siteName: string | null,
  hints: readonly Hint[],
): string | null {
  const stated = [
    jsonLd?.author?.split(', '),
    ...['author', 'parsely-author', 'sailthru.author'].map((name) => facts.metas.get(name)?.flatMap(namesOfList)),
    ...[1, 2].map((n) =>
      writtenBy.test(meta(facts, `twitter:label${n}`) ?? '') ? facts.metas.get(`twitter:data${n}`) : [],
    ),
    ...['dc.creator', 'citation_author', 'citation_authors'].map((name) =>
      facts.metas.get(name)?.map((one) => one.replace(lastFirst, '$2 $1')),
    ),
    facts.metas.get('article:author'),
    authorsOfByline(facts.bylines),
    facts.lead.flatMap(authorsOfLine).slice(0, 1),
  ].flatMap((names) => allOf(names ?? []) ?? []);
  const guessed = [
    facts.metas.get('twitter:creator')?.slice(0, 1),
    ...hints.map(({ author }) => (author === null ? [] : [author])),
    [onlyOf(facts.signatures.flatMap(authorsOfLine)) ?? ''],
  ].flatMap((names) => allOf(names ?? []) ?? []);
  const candidates = [...stated, ...guessed];
  const [first] = candidates;
  if (first === undefined) return null;
  // The first candidate may be the site's name, its publisher's or a login name. Prefer a person who is named elsewhere on the page.
  const publishers = [siteName, jsonLd?.siteName, meta(facts, 'publisher'), meta(facts, 'dc.publisher')];
  const isSite = publishers.some((name) => sameName(first, name ?? ''));
  const isOwner = isSite || bareName(meta(facts, 'copyright') ?? '').includes(bareName(first));
  // Authors own the copyright of their pages, too.
  const others = !isSite && isOwner && personName.test(first) ? stated : candidates;
  const person = others.find((one) => (isOwner ? isNameBeside(one, first) : isHandleOf(first, one)));
  return person ?? first;
}

/** How WordPress labels the author for cards of social networks. */
const writtenBy =
  /^(?:written by|author|verfasst von|geschrieben von|écrit par|escrito por|scritto da|geschreven door|autor)/i;

const maxNamed = 8;

/** The names of persons, each once, with commas between them; null if there are none. */
function allOf(names: readonly string[]): string | null {
  const found = new Map(names.flatMap((name) => asAuthor(name) ?? []).map((name) => [bareName(name), name]));
  const all = [...found.values()].slice(0, maxNamed).join(', ');
  return all === '' ? null : all;
}

const personName =
  /^\p{Lu}[\p{L}.'’-]+(?: (?:(?:de|van|von|der|den|la|le|di|da|del|al|el) )?\p{Lu}[\p{L}.'’-]*){1,3}$/u;

/** Visible characters between the names of one byline, at most. */
const maxBetweenNames = 60;

/** "By" in other languages, before a first and a last name: `Von` may be a first name. */
const foreignBy =
  /^(?:Von|Par|Por|Door|Di|di|Av|Af|Przez|Texte? (?:von|par|de)) (?=\p{Lu}[\p{L}.'’-]{0,40} (?:\p{Ll}{1,4} ){0,2}\p{Lu})/u;

/** The best mark, and those of its kind in the same line of names. */
function authorsOfByline(bylines: readonly Marked[]): string[] {
  const named = bylines
    .map((mark) => ({ ...mark, text: mark.text.replace(foreignBy, '') }))
    .filter(({ text }) => asAuthor(text) !== null);
  const first = best(named);
  if (first === undefined) return [];
  const names = [first.text];
  let { distance } = first;
  for (const mark of named.slice(named.indexOf(first) + 1)) {
    if (mark.strength !== first.strength || !isNear(mark) || mark.distance - distance > maxBetweenNames) continue;
    // An element that has only a class of bylines often holds a person's profession.
    if (mark.strength === 2 || !personName.test(mark.text.slice(0, maxSignedLength))) continue;
    ({ distance } = mark);
    if (!names.some((name) => bareName(name).includes(bareName(mark.text)))) names.push(mark.text);
  }
  return names;
}

function isNameBeside(name: string, site: string): boolean {
  return (
    /\p{L}\s+\p{L}/u.test(name) && !bareName(site).includes(bareName(name)) && !bareName(name).includes(bareName(site))
  );
}

/** `msmith` may be Mary Smith: it contains a part of the name longer than three characters. */
function isHandleOf(handle: string, name: string): boolean {
  if (!/^[\p{Ll}\d_.-]+$/u.test(handle) || !/\p{L}\s+\p{L}/u.test(name)) return false;
  return name.split(/\s+/).some((part) => part.length > 3 && bareName(handle).includes(bareName(part)));
}

/** Above this length, in characters, a block of text is prose. It names people and days for other reasons. */
const maxSignedLength = 120;

/** The blocks after the headline that begin as a byline does. */
function signed(facts: PageFacts): string[] {
  return facts.lead.filter((line) => line.length <= maxSignedLength && beginsSigned.test(line));
}

const beginsSigned =
  /^[^\p{L}\d]{0,3}(?:by|authors?|(?:first |last |originally )?(?:written|posted|published|reviewed|updated|created)|(?:zuletzt )?(?:veröffentlicht|erschienen|erstellt|geändert|aktualisiert)|publi(?:é|ée|cado|cada|cerad|ceret|sert)|mis à jour|actualizado|pubblicato|aggiornato|gepubliceerd|bijgewerkt|opublikowano|опубликовано|发布|公開)(?![\p{L}\d])/iu;

/** The authors that a line after the headline names: after a label, after "by", or in a line that begins as a byline. */
function authorsOfLine(line: string): string[] {
  if (line.length > maxSignedLength) return [];
  const bare = asAuthor(line.replace(foreignBy, ''));
  const isLabelled = authorLabel.test(line) || foreignBy.test(line) || /^by:? /i.test(line);
  if (
    bare !== null &&
    isLabelled &&
    (arePersons(bare) || (!/\p{Lu}/u.test(bare) && bare.length <= maxNameWithoutCapitals))
  )
    return [bare];
  return beginsSigned.test(line) ? (signedName.exec(line)?.slice(1) ?? []) : [];
}

/** Chinese, Japanese and Korean names are short. */
const maxNameWithoutCapitals = 12;

function arePersons(text: string): boolean {
  return text.split(/, (?:and )?| (?:and|&|und|et|og|och|en|y|e|i|и) /).every((name) => personName.test(name));
}

/** `de Vries, Jan; Stone, Ada` */
function namesOfList(text: string): string[] {
  return text.includes(';') ? text.split(/ ?; ?/).map((name) => name.replace(lastFirst, '$2 $1')) : [text];
}

const signedName =
  /(?:\b(?:[Bb]y|[Aa]uthors?)|BY|AUTHOR) ?:? +((?:(?!(?:Published|Updated|Posted|Print|Share|Last)\b)\p{Lu}[\p{L}.'’-]+ +){1,3}(?!(?:Published|Updated|Posted|Print|Share|Last)\b)\p{Lu}[\p{L}'’-]+)/u;

/** A byline or date belongs to the headline if fewer visible characters than this lie between them. */
const nearby = 600;

/** The candidate with the highest confidence; among equals one near the headline, then the first. */
function best(marks: readonly Marked[]): Marked | undefined {
  return marks.toSorted((a, b) => b.strength - a.strength || Number(isNear(b)) - Number(isNear(a)))[0];
}

function isNear({ distance }: Marked): boolean {
  return distance < nearby;
}

function isDate(text: string): boolean {
  return /^(?:\p{L}{3,9}[.,]?\s+){0,2}\d/u.test(text) && parsePublished(text) !== null;
}

/** In other languages than English. */
const authorLabel =
  /^(?:autor(?:in|a|en|zy|es|i|ka)?|auteurs?|autore|autori|redacteur|redaktion|skribent|författare|forfatter|kirjoittaja|szerző|yazar|penulis|tekst|texte?|texto|testo|von|par|por|door|di|av|af|автор(?:ы|и)?|текст|συντάκτης|作者|文|記者|记者|글|기자)\s?[:：]\s?/iu;

/** Phrases that appear where a name is expected, but are not a name. */
const notNamed =
  /^(?:(?:written|words|text|story|photos?|edited|reviewed|interview)(?: by)?:?|insights from|(?:articles|posts|more|all) (?:by|from)\b.*|(?:view|see|read|show) (?:more|all|other)\b.*|(?:\d+|no|leave a) (?:comments?|repl(?:y|ies)|responses?)\b.*|(?:updated|published|posted|edited|reviewed|fact[ -]checked)\b.*)$/i;

/** Without "By", roles and dates; null if it is no name (a date, an address, "admin"). */
function asAuthor(text: string | null): string | null {
  const bare = tidy(text)
    ?.replace(authorLabel, '')
    .replace(particleFirst, '$2 $1')
    .replace(/^(?:(?:written|posted|published|authored|reviewed|story|article|words|text)\s+)?by:?\s+/i, '')
    .replace(/^(?:author|writer|von|par|por|de)s?:\s*/i, '')
    .replace(/ ?(?:[|•·–—]| - |,? (?:last )?(?:on|updated|modified|published|posted) )[^]*$/i, '')
    .replace(/^(\p{L}+ \p{L}[^,]{0,80}?)(?:,? (?:le|am|vom|el|il|op|den|em|on)(?: \p{L}+)?|,) \d[^]*$/u, '$1')
    .replace(/, (?:\p{L}+ ){0,3}(?:editor|reporter|correspondent|columnist|journalist|redakteur(?:in)?)$/iu, '')
    .trim();
  if (bare === undefined || bare.length < 2 || bare.length > 120 || !/\p{L}/u.test(bare)) return null;
  if (notNamed.test(bare) || isDate(bare)) return null;
  const isMailAddress = bare.includes('@') && bare.lastIndexOf('.') > bare.indexOf('@');
  if (
    isMailAddress ||
    /^(?:https?:|www\.|@|\d)|^(?:admin|administrator|author|authors|by|unknown|anonymous|guest|editor|staff|null|undefined|about the author|share|follow)$/i.test(
      bare,
    )
  ) {
    return null;
  }
  return bare.split(/\s+/).length > 14 ? null : bare;
}

/** `de Vries, Jan`: one name, with the last one first. Without the particle it may be two first names. */
const particleFirst = /^((?:\p{Ll}{1,4} ){1,2}\p{Lu}[\p{L}'’-]{1,40}), (\p{Lu}[\p{Ll}'’-]{1,40}(?: \p{Lu}\.?)?)$/u;
/** `Vries, Jan`, too: the lists of libraries write every name in this way. */
export const lastFirst = /^((?:\p{Ll}{1,4} ){0,2}\p{Lu}[\p{L}'’-]{1,40}), (\p{Lu}[\p{Ll}'’-]{1,40}(?: \p{Lu}\.?)?)$/u;

/** `meta` names for the publication date, most common first. */
const publishedNames = ['article:published_time', 'datepublished', 'citation_publication_date', 'citation_online_date'];
/** `meta` names that may also mean another date. */
const vagueNames = (
  'date dc.date dcterms.created dcterms.date sailthru.date cxenseparse:recs:publishtime dc.created dc:created ' +
  'dc.date.created created date_created datecreated content_create_date article.created article:post_date ' +
  'article_date_original displaydate doc_date gentime pdate ptime og:regdate og:question:published_time timestamp'
).split(' ');
const otherPublishedName =
  /(?:^|[-_:.])(?:pub|publish(?:ed)?|firstpublished|publication|posted|issued|release)(?:[-_:.]?(?:date|time|on|at))?$|(?:^|[-_:.])date[-_:.]?(?:published|posted|issued)$/;
const changedNames = ['article:modified_time', 'og:updated_time', 'datemodified', 'last-modified'];

/** The publication date, or the modification date if no publication date is found. */
function choosePublished(
  facts: PageFacts,
  jsonLd: JsonLdArticle | null,
  url: string,
  hints: readonly Hint[],
  fetchedAt = '',
): string | null {
  // One more day, because the publisher's day may begin before UTC's. Without a time of fetching nothing is later.
  const latest = Date.parse(fetchedAt) + dayMs;
  const notLater = (date: string | null): string | null => (date !== null && Date.parse(date) > latest ? null : date);
  const read = (text: string | null | undefined): string | null => notLater(parsePublished(text ?? null, facts.lang));
  const others = [...facts.metas].flatMap(([name, [value]]) => (otherPublishedName.test(name) ? [value] : []));
  const dated = ({ text, value }: Marked): string | null => read(value) ?? read(text);
  const plain = facts.dates.filter((mark) => isOnlyDate(mark.text) && dated(mark) !== null);
  const changed = [...facts.times.filter(({ strength }) => strength < 3), ...plain].filter(
    (mark) => dateKind(mark) === 'change',
  );
  const marks = facts.times.filter(
    (mark) => dated(mark) !== null && (mark.strength > 2 || dateKind(mark) === 'publication'),
  );
  const marked = best(marks.filter((mark) => mark.strength > 2 || isNear(mark)));
  const hasHeading = facts.headings.length > 0;
  const onlyDates = plain.filter((mark) => dateKind(mark) === 'publication');
  const bare = onlyDates.find((mark) => isNear(mark) || !hasHeading);
  const isCloser =
    marked !== undefined &&
    marked.strength < 3 &&
    marked.distance > nearby / 2 &&
    (bare?.distance ?? nearby) < nearby / 6;
  // Far from the headline, a date may belong to another article. So accept only a `time` element or microdata, or a
  // text that says that it was published.
  const far = marks.find(({ text, strength }) => strength > 1 || /publi/i.test(text));
  const declared =
    firstOf([jsonLd?.publishedAt, ...publishedNames.map((name) => meta(facts, name)), ...others], read) ??
    firstOf(vagueNames, (name) => read(meta(facts, name))) ??
    firstOf(['citation_publication_date', 'citation_date', 'dc.date'], (name) =>
      notLater(parseMonth(meta(facts, name))),
    );
  const shown =
    notLater(dateInPath(URL.parse(url)?.pathname ?? '')) ??
    (marked === undefined || isCloser ? null : dated(marked)) ??
    (bare === undefined ? null : dated(bare));
  return (
    (declared !== null && shown !== null && isNextDay(declared, shown) ? shown : declared) ??
    shown ??
    firstOf(signed(facts), (line) => read(partOfPublication(line))) ??
    firstOf(
      facts.lead.flatMap((line, i) => datesOfLine(line, facts.lead[i - 1])),
      read,
    ) ??
    firstOf(hints, (hint) => read(hint.publishedAt)) ??
    (far === undefined ? null : dated(far)) ??
    firstOf(
      onlyDates.filter(({ label = '' }) => lastOf(label, saysPublished) !== -1),
      dated,
    ) ??
    onlyOf(onlyDates.flatMap((mark) => dated(mark) ?? [])) ??
    read(facts.scriptDate) ??
    firstOf(changed, dated) ??
    firstOf(signed(facts), read) ??
    firstOf(changedNames, (name) => read(meta(facts, name)))
  );
}

const saysChanged =
  /\b(?:updated?|modified|revised|edited|changed|reviewed|accessed)\b|geändert|aktualisiert|bearbeitet|mis à jour|modifié|actualizad|modificad|aggiornat|modificat|bijgewerkt|gewijzigd|oppdatert|opdateret|uppdaterad|zaktualizowan|обновлен|изменен|更新|수정/giu;
const saysPublished =
  /publi|\b(?:posted|issued|released|written|created)\b|veröffentlicht|erschienen|erstellt|pubblicat|gepubliceerd|opublikowan|опубликован|发布|发表|公開|게시/giu;

const saysOther =
  /\b(?:events?|deadline|due|starts?|begins?|ends?|expires?|until|valid|born|died|founded|established|since|joined|member|visited|when|termin|veranstaltung|geboren|gegründet|gültig|seit|bis|depuis|jusqu|desde|hasta)\b|©/giu;

/** Of what the last label before or in a mark says that its date is. */
function dateKind({ label = '', text }: Pick<Marked, 'label' | 'text'>): 'publication' | 'change' | 'other' {
  const words = `${label} ${/^[^\d]{0,40}/.exec(text)?.[0] ?? ''}`;
  const published = lastOf(words, saysPublished);
  const [changed, other] = [lastOf(words, saysChanged), lastOf(words, saysOther)];
  if (published >= changed && published >= other) return 'publication';
  return changed > other ? 'change' : 'other';
}

/** The parts of a line that are only a date: all of a short line, and the dateline of a report (`BERN, 4 May 2024 —`). */
function datesOfLine(line: string, label = ''): string[] {
  const parts = line.slice(0, maxSignedLength).split(/ ?[|·•–—/(] ?| --? /);
  const some = line.length < maxSignedLength ? parts : parts.length > 1 ? parts.slice(0, 1) : [];
  return some.filter(
    (part) => isOnlyDate(part) && dateKind({ label: label.slice(0, maxDateLength), text: part }) === 'publication',
  );
}

function lastOf(text: string, pattern: RegExp): number {
  return [...text.matchAll(pattern)].at(-1)?.index ?? -1;
}

/** The part of a line that tells when a text was published; null if the line tells only when it was changed. */
function partOfPublication(line: string): string | null {
  const [published, changed] = [line.search(saysPublished), line.search(saysChanged)];
  if (published !== -1) return line.slice(published);
  return changed === -1 ? line : null;
}

const dayMs = 86_400_000;

/** Whether one is a time on the day before or after the other: programs declare times in UTC, and show the day where they are. */
function isNextDay(time: string, day: string): boolean {
  const days = [time, day].map((date) => Date.parse(date.slice(0, 10)) / dayMs);
  return !time.includes('T00:00:00') && Math.abs((days[0] ?? 0) - (days[1] ?? 0)) === 1;
}

/** The value if all values are equal, else null. */
function onlyOf(values: readonly string[]): string | null {
  const [first = null] = values;
  return values.every((value) => value === first) ? first : null;
}

/** Maximum number of characters of a text that `onlyDate` is matched against. */
const maxDateLength = 60;

function isOnlyDate(text: string): boolean {
  return text.length <= maxDateLength && onlyDate.test(text);
}

/** Only a date, with words before it ("Published on") or a reading time after it. Expects single spaces. */
const onlyDate =
  /^[^\p{L}\d]*(?:\p{L}+(?:[.,:：] ?| )){0,4}(?:\p{L}{3,10}\.? \d|\d)[\p{L}\d.,/年月日년월일: -]{4,30}(?: ?[|·•–—-].{0,24})?$/u;

function chooseCanonical(facts: PageFacts, url: string): string | null {
  const claimed = URL.parse(facts.canonical ?? meta(facts, 'og:url') ?? '', facts.baseHref ?? url);
  if (claimed === null) return null;
  return believableClaim(claimed.href, url, `${facts.title ?? ''} ${facts.headings[0] ?? ''}`);
}

function firstOf<T, R>(items: readonly T[], read: (item: T) => R | null): R | null {
  for (const item of items) {
    const value = read(item);
    if (value !== null) return value;
  }
  return null;
}
