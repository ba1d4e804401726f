/*
 * The page `index.html` of an export: a table of all items, without scripts, and with a policy that would allow none.
 */

interface IndexRow {
  title: string;
  /** Of the Markdown, within the export. */
  file: string;
  url: string | null;
  day: string;
  type: string;
  tags: readonly string[];
}

export function indexHead(createdAt: string): string {
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'">
<meta name="referrer" content="no-referrer">
<title>Commonplace</title>
<style>body{font:16px/1.5 system-ui,sans-serif;margin:2rem auto;max-width:70rem;padding:0 1rem}table{border-collapse:collapse;width:100%}td,th{border-bottom:1px solid #8884;padding:.3rem .6rem;text-align:left;vertical-align:top}td{overflow-wrap:anywhere}</style>
</head>
<body>
<h1>Commonplace</h1>
<p>Exported ${escapeHtml(createdAt)}. Each title opens the item as Markdown.</p>
<table>
<tr><th>Saved</th><th>Title</th><th>Type</th><th>Tags</th><th>Page</th></tr>
`;
}

export const indexFoot = '</table>\n</body>\n</html>\n';

export function indexRow({ title, file, url, day, type, tags }: IndexRow): string {
  const path = file.split('/').map(encodeURIComponent).join('/');
  const page =
    url !== null && /^https?:\/\//i.test(url)
      ? `<a rel="noreferrer noopener" href="${escapeHtml(url)}">${escapeHtml(hostOf(url))}</a>`
      : '';
  return `<tr><td>${day}</td><td><a href="${escapeHtml(path)}">${escapeHtml(title)}</a></td><td>${escapeHtml(type)}</td><td>${escapeHtml(tags.join(', '))}</td><td>${page}</td></tr>\n`;
}

function hostOf(url: string): string {
  return URL.parse(url)?.host ?? 'page';
}

const escapes: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

export function escapeHtml(text: string): string {
  return text.toWellFormed().replaceAll(/[&<>"']/g, (character) => escapes[character] ?? character);
}
