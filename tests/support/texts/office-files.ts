import { zipSync, strToU8, type Zippable } from 'fflate';

export const prose = 'The ferry left at noon, and nobody on the quay could say when it would be back again.';

/** An e-book of two chapters, the second file first; `files` replaces or adds some. */
export function makeBook(files: Record<string, string> = {}, spine = ['two.xhtml', 'one.xhtml']): Uint8Array {
  const items = ['one.xhtml', 'two.xhtml']
    .map((name, i) => `<item id="c${i}" href="${name}" media-type="application/xhtml+xml"/>`)
    .join('');
  const refs = spine.map((name) => `<itemref idref="c${name === 'one.xhtml' ? 0 : 1}"/>`).join('');
  const entries: Record<string, string> = {
    'META-INF/container.xml': '<container><rootfiles><rootfile full-path="OEBPS/book.opf"/></rootfiles></container>',
    'OEBPS/book.opf': `<package xmlns:dc="x"><metadata><dc:title>The ferry &amp; the quay</dc:title><dc:creator>Ada Tester</dc:creator><dc:creator>Bo Tester</dc:creator><dc:date>2019-05-02</dc:date><dc:language>en-GB</dc:language></metadata><manifest>${items}<item id="nav" href="nav.xhtml" properties="nav" media-type="application/xhtml+xml"/></manifest><spine>${refs}</spine></package>`,
    'OEBPS/nav.xhtml':
      '<html><body><nav><ol><li><a href="two.xhtml">Departure</a></li><li><a href="one.xhtml#x">Return</a></li></ol></nav></body></html>',
    'OEBPS/one.xhtml': `<html><body><h2>Coming home</h2><p>${prose}</p><script>alert(1)</script><a id="x"/><p>See <a href="two.xhtml">above</a> and <a href="https://example.com/">there</a>.</p></body></html>`,
    'OEBPS/two.xhtml': `<html><head><title/></head><body><p>${prose} <em>Always</em>.</p></body></html>`,
    ...files,
  };
  const zipped: Zippable = { mimetype: [strToU8('application/epub+zip'), { level: 0 }] };
  for (const [name, text] of Object.entries(entries)) zipped[name] = strToU8(text);
  return zipSync(zipped);
}

/** A Word document whose body is `body`. */
export function makeDocx(body: string, extra: Zippable = {}): Uint8Array {
  const types =
    '<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Override PartName="/word/document.xml" ContentType="application/vnd.openxmlformats-officedocument.wordprocessingml.document.main+xml"/></Types>';
  const relations =
    '<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships"><Relationship Id="r1" Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/officeDocument" Target="word/document.xml"/></Relationships>';
  const core =
    '<cp:coreProperties xmlns:cp="x" xmlns:dc="y" xmlns:dcterms="z"><dc:title>Minutes</dc:title><dc:creator>Ada Tester</dc:creator><dcterms:created>2024-03-05T10:15:00Z</dcterms:created></cp:coreProperties>';
  return zipSync({
    '[Content_Types].xml': strToU8(types),
    '_rels/.rels': strToU8(relations),
    'docProps/core.xml': strToU8(core),
    'word/document.xml': strToU8(
      `<w:document xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"><w:body>${body}</w:body></w:document>`,
    ),
    ...extra,
  });
}

export const paragraph = (text: string, style = ''): string =>
  `<w:p>${style === '' ? '' : `<w:pPr><w:pStyle w:val="${style}"/></w:pPr>`}<w:r><w:t>${text}</w:t></w:r></w:p>`;
