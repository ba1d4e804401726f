import type { Warning } from '../../domain/records/content.ts';
import { ProcessingError, type FailureCode } from '../../errors.ts';
import type { PageFacts } from './html/html-scan.ts';
import type { JsonLdArticle } from './metadata/json-ld.ts';
import {
  consentTexts,
  consentTitles,
  loginTexts,
  loginTitles,
  missingTitles,
  noticeTexts,
  onlyLoading,
  onlyMissing,
  passwordWords,
  payTexts,
  robotTexts,
  robotTitles,
  scriptTexts,
  type TextTest,
} from './error-page-phrases.ts';

export interface FoundText {
  text: string;
  words: number;
  title: string | null;
}

/** Longer texts are accepted as they are: an article may be about logging in. */
const maxErrorPageWords = 150;
/** Limit for pages whose title says only that the page is missing. They often show what else there is to read. */
const maxTitledWords = 600;
/** With fewer words before a wall (login, paywall, scripts), there is no text worth keeping. */
const minBeforeWall = 40;

const maxSearched = 2_000;

const wayOut =
  'Open it in your browser and save it again together with its text, or save the page as a file and that file from the command line.';

/**
 * Refuses what is not the page itself: a robot check, a consent or login form, an error served as success, a wall
 * before the text, an empty page that needs scripts. A longer text is never refused, whatever its topic.
 * @throws {ProcessingError} that names what was found and how to get the page anyway
 */
export function refuseErrorPage(facts: PageFacts, jsonLd: JsonLdArticle | null, found: FoundText): void {
  const short = found.words < maxErrorPageWords;
  const titles = [facts.title, found.title, facts.headings[0]].filter((title) => typeof title === 'string');
  const titled = (phrases: TextTest): boolean =>
    titles.some((title) => phrases.test(title.slice(0, maxSearched).trim()));
  const text = found.text.slice(0, maxSearched);
  const all = `${facts.title?.slice(0, maxSearched) ?? ''}\n${facts.opening.slice(0, maxSearched * 2)}\n${text}`;
  const refuse = (code: FailureCode, what: string): never => {
    throw new ProcessingError(code, what);
  };
  if (short && (titled(robotTitles) || robotTexts.test(all)))
    refuse('captcha', `The site checks that no robot is reading, so the page itself could not be read. ${wayOut}`);
  const declared = jsonLd?.article === true && jsonLd.publishedAt !== null;
  const bareTitle = (facts.title ?? '').split(/ [|·•»–—-] /, 1)[0]?.trim() ?? '';
  if (
    (short && titled(missingTitles)) ||
    (!declared &&
      found.words < maxTitledWords &&
      (onlyMissing.test(bareTitle) || onlyMissing.test(facts.headings[0] ?? '')))
  )
    refuse(
      'soft_404',
      'The site says that there is no page at this address. Check the address, or look for where the page has moved.',
    );
  if (found.words < minBeforeWall && !declared && noticeTexts.test(all))
    refuse(
      'soft_404',
      'The site shows a notice in place of the page: it is being worked on, or its address is for sale. Try again later, or look for where the page has moved.',
    );
  if ((short && titled(consentTitles)) || (found.words < 60 && consentTexts.test(all)))
    refuse('consent_wall', `The site showed its form for cookies and privacy instead of the page. ${wayOut}`);
  const asksForLogin = titled(loginTitles) || (facts.hasPasswordField && found.words < 60 && passwordWords.test(all));
  if (short && (asksForLogin || (found.words < minBeforeWall && loginTexts.test(all))))
    refuse('login_required', `The site wants a login before it shows the page. ${wayOut}`);
  if (found.words < minBeforeWall && (payTexts.test(all) || (jsonLd?.free === false && found.words < 20)))
    refuse(
      'paywall',
      `The site shows the page to subscribers only, and none of its text could be read. If you have access: ${wayOut}`,
    );
  if (found.words < minBeforeWall && facts.isFrameset)
    refuse(
      'empty',
      'The page only divides the window into frames, each of which shows a page with its own address. Open the frame with the text by itself in your browser, and save its address.',
    );
  if (
    found.words === 0 ||
    onlyLoading.test(text) ||
    (found.words < minBeforeWall && scriptTexts.test(`${text}\n${facts.opening}`))
  )
    refuse(
      'empty',
      `There is no text in the page: it is empty, or its text appears only when a browser runs its scripts. ${wayOut}`,
    );
}

/** Warnings about a text that was accepted: it is behind a paywall, cut off, or continued on further pages. */
export function textWarnings(facts: PageFacts, jsonLd: JsonLdArticle | null, found: FoundText, url: string): Warning[] {
  const warnings: Warning[] = [];
  const wall = found.words < 400 && payTexts.test(facts.opening.slice(-1_000));
  if (jsonLd?.free === false || wall || payTexts.test(found.text.slice(-600)) || metaSaysLocked(facts)) {
    warnings.push({
      code: 'paywall',
      message: 'The page says that its full text is for subscribers; what was saved may be only its beginning.',
    });
  } else if (
    /(?:\.\.\.|…|\[…\])\s*(?:(?:continue|keep) reading|read (?:more|on|the full (?:story|article)))\W{0,5}$/i.test(
      found.text.slice(-300),
    )
  ) {
    warnings.push({
      code: 'truncated',
      message: 'The page shows only the beginning and links elsewhere for the rest.',
    });
  }
  if (goesOn(facts.next, facts.baseHref ?? url, url)) {
    warnings.push({
      code: 'more_pages',
      message: 'The text continues on further pages of the site, which were not read. Save them too, if you need them.',
    });
  }
  return warnings;
}

/** Whether `rel=next` leads to the next part of the same text, not to a blog's next article. */
function goesOn(next: string | null, base: string, url: string): boolean {
  const [own, other] = [URL.parse(url), next === null ? null : URL.parse(next, base)];
  if (own === null || other === null || own.hostname !== other.hostname) return false;
  const bare = (path: string): string => path.replace(/(?<!\/)\/+$/, '');
  const [from, to] = [bare(own.pathname), bare(other.pathname)];
  if (from.length < 2) return false;
  if (from === to) return /(?:^|[?&])(?:page|p|pg|seite)=2(?:&|$)/.test(other.search);
  return to.startsWith(from) && /^(?:\/page)?[/-]2$/.test(to.slice(from.length));
}

function metaSaysLocked(facts: PageFacts): boolean {
  return facts.metas.get('article:content_tier')?.[0]?.toLowerCase() === 'locked';
}
