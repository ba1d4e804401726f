/*
 * Addresses in running text: whatever a program that shows it may make a link of. With a scheme or without, of pages, of mail, or of
 * telephones. What only looks like one is no harm: it is held against the text that it is said to be from.
 */

const rest = String.raw`[^\s<>"'\u0060)\]。、，；！？（）「」『』【】《》]`;
/** `Node.js` and `U.S.` are no hosts: without a scheme and a path the end has to be one that is often met. */
const commonEnds =
  'com|net|org|edu|gov|info|biz|io|co|dev|app|ai|me|tv|xyz|top|site|online|shop|click|link|example|test|ru|cn|de|uk|fr|eu';
/** No names of hosts end so, but `Vue.js/React` and `config.yml/config.json` do. */
const endsOfFiles = 'jsx?|tsx?|json|ya?ml|html?|css|txt|pdf|csv|xml|cpp|exe';
/** Chinese, Japanese and Korean words stand next to an address without a space. */
const unspaced = String.raw`[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Hangul}ー]`;
/* Every part has a longest form, so that a text of nothing but letters and dots is read once. */
const host = String.raw`(?:[\p{L}\p{N}][\p{L}\p{N}-]{0,62}\.){1,9}`;

const addresses = new RegExp(
  [
    String.raw`\b[a-z][a-z\d+.-]{0,30}:[\/\\]{2}${rest}+`,
    String.raw`\b(?:https?|ftp|file|data|blob|javascript|vbscript|mailto|tel|sms|intent):${rest}+`,
    String.raw`(?<![\p{L}\p{N}.:\/])\/\/${host}\p{L}{2,}${rest}*`,
    String.raw`\bwww\.${rest}+`,
    String.raw`(?<![\p{L}\p{N}._%+-])[\p{L}\p{N}._%+-]{1,64}@${host}\p{L}{2,}`,
    String.raw`(?<![\p{L}\p{N}@.-])${host}(?!(?:${endsOfFiles})(?!\p{L}))\p{L}{2,}(?::\d+)?[\/?#]${rest}*`,
    String.raw`(?<![\p{L}\p{N}@.-])${host}(?:${commonEnds})(?!-|(?!${unspaced})[\p{L}\p{N}])`,
  ].join('|'),
  'giu',
);

/** What a sentence, or Markdown, puts behind an address. */
const behind = new Set('.,;:!?*_~|}»«›‹”“’‘…—–');

/** Words that are written next to an address, at most 64 letters; what ends in a sign goes on in them. */
const wordsBefore = new RegExp(String.raw`^(${unspaced}{1,64})[a-z\d]`, 'iu');
const wordsBehind = new RegExp(String.raw`[a-z\d](${unspaced}[\p{L}\p{N}\p{M}]{0,63})$`, 'iu');

interface Parted {
  before: string;
  address: string;
  after: string;
}

function part(found: string): Parted {
  let end = found.length;
  while (behind.has(found.charAt(end - 1))) end -= 1;
  const whole = found.slice(0, end);
  const behindWhole = found.slice(end);
  const after = wordsBehind.exec(whole)?.[1] ?? '';
  if (after === '' && !/[a-z\d]$/iu.test(whole)) return { before: '', address: whole, after: behindWhole };
  const before = wordsBefore.exec(whole)?.[1] ?? '';
  return { before, address: whole.slice(before.length, whole.length - after.length), after: after + behindWhole };
}

/** The same for spellings that lead to the same place: the case of a host's name, and a slash at the end, do not count. */
function keyOf(address: string): string {
  return address.replace(/^(?:[^/?#]*\/\/)?[^/?#]*/, (host) => host.toLowerCase()).replace(/\/$/, '');
}

/** The addresses of a text, spelled so that those which lead to the same place are the same. */
export function addressesIn(text: string): string[] {
  return Array.from(text.matchAll(addresses), ([one]) => keyOf(part(one).address));
}

/** The filter of words that were written about `text`: an address that does not stand there, as a whole, becomes `[…]`. */
export function createAddressFilter(text: string): (words: string) => string {
  let known: Set<string> | undefined;
  return (words) =>
    words.replaceAll(addresses, (found) => {
      known ??= new Set(addressesIn(text));
      const { before, address, after } = part(found);
      return known.has(keyOf(address)) ? found : `${before}[…]${after}`;
    });
}
