const opening = '<![CDATA[';

/**
 * Neutralises unclosed CDATA sections. A section that is never closed, or is closed only after other elements, would
 * swallow the rest of the page's text. In HTML it is a comment that ends at the next `>`, so it is turned into one.
 */
export function closeCdata(html: string): string {
  if (!html.includes(opening)) return html;
  const [before = '', ...sections] = html.split(opening);
  return [
    before,
    ...sections.map((section) => {
      const end = section.indexOf(']]>');
      const isClosed = end !== -1 && !section.slice(0, end).includes('</');
      return (isClosed ? opening : '<!CDATA[') + section;
    }),
  ].join('');
}
