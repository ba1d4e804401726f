/*
 * Addresses in running text: whatever a program that shows it may make a link of. With a scheme or without, of pages, of mail, or of
 * telephones. What only looks like one is no harm: it is held against the text that it is said to be from.
 */

const rest = String.raw`[^\s<>"'\u0060)\]。、，；！？（）「」『』【】《》]`;
/** `Node.js` and `U.S.` are no hosts: without a scheme and a path the end has to be one that is often met. */
const commonEnds =
  'com|net|org|edu|gov|info|biz|io|co|dev|app|ai|me|tv|xyz|top|site|online|shop|click|link|example|test|ru|cn|de|uk|fr|eu';
/* Every part has a longest form, so that a text of nothing but letters and dots is read once. */
const host = String.raw`(?:[\p{L}\p{N}][\p{L}\p{N}-]{0,62}\.){1,9}`;

const addresses = new RegExp(
  [
    String.raw`\b[a-z][a-z\d+.-]{0,30}:[\/\\]{2}${rest}+`,
    String.raw`\b(?:https?|ftp|file|data|blob|javascript|vbscript|mailto|tel|sms|intent):${rest}+`,
    String.raw`(?<![\p{L}\p{N}.:\/])\/\/${host}\p{L}{2,}${rest}*`,
    String.raw`\bwww\.${rest}+`,
    String.raw`(?<![\p{L}\p{N}._%+-])[\p{L}\p{N}._%+-]{1,64}@${host}\p{L}{2,}`,
    String.raw`(?<![\p{L}\p{N}@.-])${host}\p{L}{2,}(?::\d+)?[\/?#]${rest}*`,
    String.raw`(?<![\p{L}\p{N}@.-])${host}(?:${commonEnds})(?![\p{L}\p{N}-])`,
  ].join('|'),
  'giu',
);

/** What a sentence, or Markdown, puts behind an address. */
const behind = new Set('.,;:!?*_~|}»”’');

function bare(address: string): string {
  let end = address.length;
  while (behind.has(address.charAt(end - 1))) end -= 1;
  return address.slice(0, end);
}

/** The filter of words that were written about `text`: an address that does not stand there, as a whole, becomes `[…]`. */
export function createAddressFilter(text: string): (words: string) => string {
  let known: Set<string> | undefined;
  return (words) =>
    words.replaceAll(addresses, (address) => {
      known ??= new Set(Array.from(text.matchAll(addresses), ([found]) => bare(found)));
      const itself = bare(address);
      return known.has(itself) ? address : `[…]${address.slice(itself.length)}`;
    });
}
