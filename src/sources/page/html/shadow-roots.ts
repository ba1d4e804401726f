/** Up to the next tag: without an end, each of many would be read to the end of the page. */
const template = /<(\/?)template\b[^<>]*>/gi;
const isRoot = /\sshadowroot(?:mode)?\s*=/i;

/** Declared shadow roots are what a reader sees of their elements: here they become part of the page. Other templates stay what they are. */
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
