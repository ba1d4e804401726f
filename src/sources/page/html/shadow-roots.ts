/** `[^<>]*` ends at the next tag. Otherwise each of many unclosed tags would be read to the end of the page. */
const template = /<(\/?)template\b[^<>]*>/gi;
const isRoot = /\sshadowroot(?:mode)?\s*=/i;

/**
 * Turns declarative shadow roots into `div` elements, since readers see their content. Other templates stay as they
 * are.
 */
export function openShadowRoots(html: string): string {
  if (!isRoot.test(html)) return html;
  const open: boolean[] = [];
  return html.replaceAll(template, (tag, end: string) => {
    if (end === '') {
      open.push(isRoot.test(tag));
      return open.at(-1) === true ? '<div>' : tag;
    }
    return open.pop() === true ? '</div>' : tag;
  });
}
