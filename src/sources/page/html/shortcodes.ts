/** Shortcodes of the common page builders of WordPress, as `[vc_row css="…"]` or `[/vc_row]`. */
const shortcode =
  /\[\/?(?:vc|wpb|et_pb|fusion|av|mkdf|qode|edgtf|eltdf|nectar|trx|su|rev_slider)(?:_[a-z\d_]{1,60})?(?:\s[^[\]<>]{0,2000})?\/?\]/g;
const anyShortcode = /\[\/?(?:vc|wpb|et_pb|fusion|av|mkdf|qode|edgtf|eltdf|nectar|trx|su)_[a-z]/;

const codeTags = ['pre', 'code', 'textarea', 'script'];

/** Removes the shortcodes that a site shows as text when the plugin that reads them is gone. Code keeps them. */
export function withoutShortcodes(html: string): string {
  if (!anyShortcode.test(html)) return html;
  let end = 0;
  let inCode = false;
  return html.replaceAll(shortcode, (found, at: number) => {
    inCode = endsInCode(html.slice(end, at).toLowerCase(), inCode);
    end = at;
    return inCode || !found.includes('_') ? found : ' ';
  });
}

/** Whether an element of code is open at the end of a part of the page. */
function endsInCode(part: string, before: boolean): boolean {
  const opened = Math.max(...codeTags.map((tag) => part.lastIndexOf(`<${tag}`)));
  const closed = Math.max(...codeTags.map((tag) => part.lastIndexOf(`</${tag}`)));
  return opened === closed ? before : opened > closed;
}
