const opening = '<![CDATA[';

/**
 * Makes CDATA sections what they mean. A section that is never closed, or is closed only after other elements, would
 * swallow the rest of the page's text. In HTML it is a comment that ends at the next `>`, so it is turned into one. In
 * XHTML a closed section is text, except in scripts and styles, where it only hides the code.
 */
export function closeCdata(html: string): string {
  if (!html.includes(opening)) return html;
  const isXhtml = xhtml.test(html.slice(0, maxPrologue));
  const [before = '', ...sections] = html.split(opening);
  let inCode = endsInCode(before, false);
  return [
    before,
    ...sections.map((section) => {
      const end = section.indexOf(']]>');
      const isClosed = end !== -1 && !section.slice(0, end).includes('</');
      const isText = isXhtml && isClosed && !inCode;
      inCode = endsInCode(section, inCode);
      if (!isText) return (isClosed ? opening : '<!CDATA[') + section;
      return escaped(section.slice(0, end)) + section.slice(end + 3);
    }),
  ].join('');
}

const maxPrologue = 2_000;
const xhtml = /^\s*<\?xml\s|xmlns\s{0,5}=\s{0,5}["']http:\/\/www\.w3\.org\/1999\/xhtml/i;

/** Whether a script or style is open at the end of a part of the page. */
function endsInCode(part: string, before: boolean): boolean {
  const lower = part.toLowerCase();
  const opened = Math.max(lower.lastIndexOf('<script'), lower.lastIndexOf('<style'));
  const closed = Math.max(lower.lastIndexOf('</script'), lower.lastIndexOf('</style'));
  return opened === closed ? before : opened > closed;
}

function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}
