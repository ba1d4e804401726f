/** Texts of the link "view in browser" in newsletters, in lower case. */
const phrases: readonly string[] = [
  'in browser|in your browser|in a browser|in the browser|web version|online version|view online',
  'read online|view it online|view on web|view on the web|read on the web|im browser|online ansehen',
  'online lesen|webversion|web-version|onlineversion|online-version|votre navigateur|le navigateur',
  'version en ligne|version web|tu navegador|su navegador|el navegador|versión web|versión online',
  'nel browser|versione web|versione online|no navegador|versão web|versão online|je browser',
  'uw browser|webversie|online versie|i webbläsaren|webbversion|i nettleseren|w przeglądarce',
  'в браузере|веб-версия|ブラウザで|ブラウザーで|在浏览器|在瀏覽器|브라우저에서',
].flatMap((line) => line.split('|'));

const maxTextLength = 150;

/** Whether a link with this text leads to the newsletter itself on the web. */
export function isWebVersionText(text: string): boolean {
  if (text.length > maxTextLength) return false;
  const plain = text.toLowerCase().replaceAll(/\s/g, ' ');
  return phrases.some((phrase) => plain.includes(phrase));
}

const maxAddressLength = 2_048;
/**
 * Whether a page is on the domain of a sender, or one of their hosts is below the other. A letter may name any sender, so this
 * tells no more than that the letter agrees with itself.
 */
export function isOnDomainOf(sender: string, page: string): boolean {
  const host = URL.parse(page)?.hostname.replace(/^www\./, '') ?? '';
  const domain = sender.slice(sender.lastIndexOf('@') + 1).toLowerCase();
  if (!host.includes('.') || !domain.includes('.')) return false;
  return `.${host}`.endsWith(`.${domain}`) || domain.endsWith(`.${host}`);
}

const maxLinkLength = 5_000;
const maxLinks = 2_000;

/** The address that opens a web page without telling it a name; null for any other text. */
export function pageAddress(text: string): string | null {
  if (text.length > maxAddressLength) return null;
  const url = URL.parse(text.replaceAll('&amp;', '&').trim());
  return url !== null && /^https?:$/.test(url.protocol) && url.username === '' && url.password === '' ? url.href : null;
}

/** The address of the newsletter itself on the web, if a link of its HTML leads there. It looks at each link once. */
export function webVersionOf(html: string): string | null {
  let links = 0;
  for (let at = nextLink(html, 0); at !== -1 && links < maxLinks; at = nextLink(html, at + 1)) {
    links += 1;
    const link = html.slice(at, at + maxLinkLength);
    const opened = link.indexOf('>');
    const closed = link.toLowerCase().indexOf('</a', opened);
    if (opened === -1 || closed === -1) continue;
    const text = link
      .slice(opened + 1, closed)
      .replaceAll(/<[^<>]{0,2000}>/g, ' ')
      .replaceAll('&nbsp;', ' ');
    if (!isWebVersionText(text.replaceAll(/\s{1,1000}/g, ' ').trim())) continue;
    const href = /\shref\s{0,9}=\s{0,9}(?:"([^"]{1,2048})"|'([^']{1,2048})')/i.exec(link.slice(0, opened));
    const address = pageAddress(href?.[1] ?? href?.[2] ?? '');
    if (address !== null) return address;
  }
  return null;
}

function nextLink(html: string, from: number): number {
  const at = html.slice(from).search(/<a\s/i);
  return at === -1 ? -1 : from + at;
}
