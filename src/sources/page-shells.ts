import type { Warning } from '../domain/content.ts';
import { ProcessingError } from '../errors.ts';
import type { PageFacts } from './html-scan.ts';
import type { JsonLdArticle } from './json-ld.ts';

export interface FoundText {
  /** Rendered text of what was extracted. */
  text: string;
  words: number;
  title: string | null;
}

/** Longer texts are taken for what they say: an article may be about logging in. */
const mostShellWords = 150;

const robotTitles =
  /^(?:just a moment|attention required|access denied|are you (?:a )?(?:human|robot)|robot check|security check|verify(?:ing)? (?:you are|that you are)|bot verification|pardon our interruption|please wait|one moment, please|ddos-guard|human verification)/i;
const robotTexts =
  /verif(?:y|ying) (?:that )?you(?:'re| are)(?: a)? human|enable javascript and cookies to continue|checking (?:your|the site) (?:browser|connection)|unusual traffic from your|press (?:and|&) hold|complete the (?:captcha|security check)|prove (?:that )?you(?:'re| are) (?:human|not a robot)|access to this page has been denied/i;
const missingTitles =
  /^(?:(?:error\s*)?404\b|(?:page|article|content|file|document) (?:not found|unavailable|does(?: not|n.t) exist|could not be found)|not found\b|(?:sorry,? )?(?:this|that|the) page (?:can.t|cannot|could not|isn.t|is not|does(?: not|n.t)|no longer))|\b404\b.{0,20}(?:not found|error)|\bpage not found\b/i;
const consentTitles =
  /^(?:before you continue|cookie (?:consent|preferences|settings)|(?:your|we value your) privacy|privacy settings)/i;
const loginTitles =
  /^(?:log ?in|sign ?in|log on|anmelden|connexion|iniciar sesión)\b|\b(?:log ?in|sign ?in) (?:to|required)\b/i;
const scriptTexts =
  /(?:enable|requires?|need|turn on|activate) (?:to (?:enable|run) )?(?:java ?script)|javascript (?:is|must be|has been) (?:disabled|enabled|required|turned off)/i;
const payTexts =
  /(?:subscribe|sign up|log in|become a (?:member|subscriber)|buy a subscription) (?:now )?(?:to|and) (?:continue|keep|read|unlock|access)|(?:subscriber|member)s?[- ]only (?:story|article|content|post)|this (?:article|story|content|post) is (?:for|only available to|reserved for) (?:paid |paying )?(?:subscriber|member)|(?:continue|keep) reading (?:with|by) /i;

/**
 * Refuses what looks like a page and is none: a check for robots, a consent or login form, an error served as success, an
 * empty frame for scripts.
 * @throws {ProcessingError} naming what was found and the way round it.
 */
export function refuseShell(facts: PageFacts, found: FoundText): void {
  const short = found.words < mostShellWords;
  const titles = [facts.title, found.title, facts.headings[0]].filter((title) => typeof title === 'string');
  const titled = (pattern: RegExp): boolean => titles.some((title) => pattern.test(title.trim()));
  const all = `${facts.title ?? ''}\n${found.text}`;
  if (short && (titled(robotTitles) || robotTexts.test(all))) {
    throw new ProcessingError(
      'forbidden',
      'The site asked for a proof that no robot is reading, so the page itself was not got. ' +
        'Open it in your browser, save it as a file, and save that file from the command line.',
    );
  }
  if (short && titled(missingTitles)) {
    throw new ProcessingError(
      'not_found',
      'The site says in place of the page that there is none at this address. Check the address, or look for where the page has moved.',
    );
  }
  if (short && titled(consentTitles)) {
    throw new ProcessingError(
      'empty',
      'The site showed its form for cookies and privacy instead of the page. ' +
        'Open the page in your browser, save it as a file, and save that file from the command line.',
    );
  }
  if (short && (titled(loginTitles) || (facts.hasPasswordField && found.words < 60))) {
    throw new ProcessingError(
      'forbidden',
      'The site wants a login before it shows the page. Log in with your browser, save the page as a file, and save that file from the command line.',
    );
  }
  if (found.words === 0 || (found.words < 40 && scriptTexts.test(found.text))) {
    throw new ProcessingError(
      'empty',
      'There is no text in the page: it is empty, or its text appears only when a browser runs its scripts. ' +
        'Open it in your browser, save it as a file, and save that file from the command line.',
    );
  }
}

/** What to know about a text that was got nevertheless. */
export function textWarnings(facts: PageFacts, jsonLd: JsonLdArticle | null, found: FoundText): Warning[] {
  const warnings: Warning[] = [];
  if (jsonLd?.free === false || payTexts.test(found.text.slice(-600)) || metaSaysLocked(facts)) {
    warnings.push({
      code: 'paywall',
      message: 'The page says that its full text is for subscribers; what was got may be only its beginning.',
    });
  }
  return warnings;
}

function metaSaysLocked(facts: PageFacts): boolean {
  const tier = facts.metas.get('article:content_tier')?.[0]?.toLowerCase();
  return tier === 'locked' || tier === 'metered';
}
