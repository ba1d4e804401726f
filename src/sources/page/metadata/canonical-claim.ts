import { canonicalUrl, maxUrlLength } from '../../../domain/links/url.ts';
import { isOnSharedHost } from './names.ts';

/** Query parameters that number the pages of a text or list. */
const pageNumbers = ['page', 'p', 'pg', 'paged', 'start', 'offset', 'seite'];
const version = /^v?\d+(?:\.(?:\d+|x))*$/i;
const locale = /^[a-z]{2}(?:[-_][a-z]{2,4})?$/i;
/** Labels of hosts that show the same pages in another form. */
const formLabels = new Set(['www', 'm', 'mobile', 'amp']);

/**
 * The address that a page claims for itself (`rel=canonical`), or null if the claim is not credible: it names another
 * host or author, a parent of the page (such as the front page), another page of a numbered series, another version or
 * language, or another text. Rejecting a claim costs little, since copies are also recognised by their text. Accepting a
 * wrong one merges two texts. So no other subdomain is believed: on many hosts each belongs to somebody else.
 * @param title words that identify the text if the addresses share nothing
 */
export function believableClaim(claim: string, url: string, title: string): string | null {
  if (claim.length > maxUrlLength) return null;
  const own = URL.parse(canonicalUrl(url));
  const raw = URL.parse(claim, url);
  if (own === null || raw === null || !/^https?:$/.test(raw.protocol) || raw.username !== '') return null;
  const claimed = URL.parse(canonicalUrl(raw.href));
  if (claimed === null || hostWithoutForm(own) !== hostWithoutForm(claimed)) return null;
  const [from, to] = [parts(own), parts(claimed)];
  if (authorIn(from) !== authorIn(to)) return null;
  if (from.join('/') === to.join('/')) return sameNumbers(own, claimed) ? raw.href : null;
  if (to.every((part, i) => part === from[i])) return null;
  if (from.length === to.length && from.some((part, i) => differsInEdition(part, to[i] ?? ''))) return null;
  return isSameText(own, from, to, title) ? raw.href : null;
}

/** On a shared host `m` may be somebody's name, and the last two labels are never a form (`amp.dev`). */
function hostWithoutForm({ hostname }: URL): string {
  if (isOnSharedHost(hostname)) return hostname;
  const labels = hostname.split('.');
  return labels.filter((label, index) => index >= labels.length - 2 || !formLabels.has(label)).join('.');
}

/** Where people share a host, their names begin with these characters: `/~ann/`, `/@ann/`. */
function authorIn(path: readonly string[]): string {
  return path.find((part) => part.startsWith('~') || part.startsWith('@')) ?? '';
}

/** The parts of a path, without differences that do not matter: case and file extension. */
function parts(url: URL): string[] {
  return url.pathname
    .toLowerCase()
    .replace(/\.(?:html?|php|aspx?)$/, '')
    .split('/')
    .filter((part) => part !== '');
}

function sameNumbers(own: URL, claimed: URL): boolean {
  const numbers = (url: URL, name: string): string => {
    const value = url.searchParams.get(name) ?? '';
    return value === '0' || value === '1' ? '' : value;
  };
  return pageNumbers.every((name) => numbers(own, name) === numbers(claimed, name));
}

function differsInEdition(own: string, claimed: string): boolean {
  if (own === claimed) return false;
  return [version, locale].some((pattern) => pattern.test(own) && pattern.test(claimed));
}

function isSameText(own: URL, from: readonly string[], to: readonly string[], title: string): boolean {
  const [mine, theirs] = [from.at(-1) ?? '', to.at(-1) ?? ''];
  if (mine === theirs) return true;
  const ids = new Set(`${from.join('/')} ${own.search}`.match(/\d{4,}/g)?.filter((id) => !/^(?:19|20)\d\d$/.test(id)));
  if (theirs.match(/\d{4,}/g)?.some((id) => ids.has(id)) === true) return true;
  const words = wordsOf(theirs);
  const known = new Set([...wordsOf(mine), ...wordsOf(title)]);
  return words.length > 1 && words.filter((word) => known.has(word)).length * 2 > words.length;
}

function wordsOf(text: string): string[] {
  return (
    text
      .toLowerCase()
      .slice(0, 2_000)
      .match(/[\p{L}\p{N}]{2,}/gu) ?? []
  );
}
