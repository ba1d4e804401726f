/*
 * Finds addresses in running text: anything that a program may turn into a link when it shows the text. They may be
 * web, mail or phone addresses, with or without a scheme. A false match does no harm: it is only compared with the
 * addresses of the source text, where the same pattern matches too.
 */

const rest = String.raw`[^\s<>"'\u0060)\]。、，；！？（）「」『』【】《》]`;
/** Without a scheme and a path, a host must end in a common top-level domain: `Node.js` and `U.S.` are not hosts. */
const commonEnds =
  'com|net|org|edu|gov|info|biz|io|co|dev|app|ai|me|tv|xyz|top|site|online|shop|click|link|example|test|ru|cn|de|uk|fr|eu';
/** File extensions, which are not top-level domains: `Vue.js/React` and `config.yml/config.json` are not addresses. */
const endsOfFiles = 'jsx?|tsx?|json|ya?ml|html?|css|txt|pdf|csv|xml|cpp|exe';
/** Chinese, Japanese and Korean words may touch an address without a space. */
const unspaced = String.raw`[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Hangul}ー]`;
/* Every part is bounded, so that the time stays linear for a text of nothing but letters and dots. */
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

/** Punctuation of a sentence, or of Markdown, after an address. */
const behind = new Set('.,;:!?*_~|}»«›‹”“’‘…—–');

/** Words that touch an address, at most 64 letters. If the address ends in a symbol, they are part of it. */
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

/** Equal for addresses that lead to the same place: ignores the case of the host and a slash at the end. */
function keyOf(address: string): string {
  return address.replace(/^(?:[^/?#]*\/\/)?[^/?#]*/, (host) => host.toLowerCase()).replace(/\/$/, '');
}

/** The addresses of a text, each as its `keyOf`. */
export function addressesIn(text: string): string[] {
  return Array.from(text.matchAll(addresses), ([one]) => keyOf(part(one).address));
}

/** Creates a filter for words written about `text`: it replaces each address that `text` does not have with `[…]`. */
export function createAddressFilter(text: string): (words: string) => string {
  let known: Set<string> | undefined;
  return (words) =>
    words.replaceAll(addresses, (found) => {
      known ??= new Set(addressesIn(text));
      const { before, address, after } = part(found);
      return known.has(keyOf(address)) ? found : `${before}[…]${after}`;
    });
}
