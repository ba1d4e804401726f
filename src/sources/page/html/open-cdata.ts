const opening = '<![CDATA[';

/**
 * A section of character data that a page opens and never closes (or only behind other elements) would swallow the rest of its text.
 * HTML knows none: there it is a comment that ends with the next `>`, and is made one here.
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
