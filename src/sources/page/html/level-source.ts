/* Markup that would hide or break a page's text once it is parsed. */

/** The page without shortcodes, with its character data and declared shadow roots open. */
export function levelPage(page: string): string {
  return openShadowRoots(withoutShortcodes(closeCdata(page)));
}

const cdata = '<![CDATA[';
const maxPrologue = 2_000;
const xhtml = /^\s*<\?xml\s|xmlns\s{0,5}=\s{0,5}["']http:\/\/www\.w3\.org\/1999\/xhtml/i;

/**
 * Makes CDATA sections what they mean. A section that is never closed, or is closed only after other elements, would
 * swallow the rest of the page's text. In HTML it is a comment that ends at the next `>`, so it is turned into one. In
 * XHTML a closed section is text, except in scripts and styles, where it only hides the code.
 */
function closeCdata(html: string): string {
  if (!html.includes(cdata)) return html;
  const isXhtml = xhtml.test(html.slice(0, maxPrologue));
  const [before = '', ...sections] = html.split(cdata);
  let inCode = endsIn(['script', 'style'], before, false);
  return [
    before,
    ...sections.map((section) => {
      const end = section.indexOf(']]>');
      const isClosed = end !== -1 && !section.slice(0, end).includes('</');
      const isText = isXhtml && isClosed && !inCode;
      inCode = endsIn(['script', 'style'], section, inCode);
      if (!isText) return (isClosed ? cdata : '<!CDATA[') + section;
      const text = section.slice(0, end).replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
      return text + section.slice(end + 3);
    }),
  ].join('');
}

function endsIn(tags: readonly string[], part: string, before: boolean): boolean {
  const lower = part.toLowerCase();
  const opened = Math.max(...tags.map((tag) => lower.lastIndexOf(`<${tag}`)));
  const closed = Math.max(...tags.map((tag) => lower.lastIndexOf(`</${tag}`)));
  return opened === closed ? before : opened > closed;
}

/** Shortcodes of the common page builders of WordPress, as `[vc_row css="…"]` or `[/vc_row]`. */
const shortcode =
  /\[\/?(?:vc|wpb|et_pb|fusion|av|mkdf|qode|edgtf|eltdf|nectar|trx|su|rev_slider)(?:_[a-z\d_]{1,60})?(?:\s[^[\]<>]{0,2000})?\/?\]/g;

/** Removes the shortcodes that a site shows as text when the plugin that reads them is gone. Code keeps them. */
export function withoutShortcodes(html: string): string {
  let end = 0;
  let inCode = false;
  return html.replaceAll(shortcode, (found, at: number) => {
    inCode = endsIn(['pre', 'code', 'textarea', 'script'], html.slice(end, at), inCode);
    end = at;
    return inCode || !found.includes('_') ? found : ' ';
  });
}

/** `[^<>]*` ends at the next tag. Otherwise each of many unclosed tags would be read to the end of the page. */
const template = /<(\/?)template\b[^<>]*>/gi;
const isRoot = /\sshadowroot(?:mode)?\s*=/i;

/** Turns declarative shadow roots into `div` elements, since readers see their content. Other templates stay. */
function openShadowRoots(html: string): string {
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
