/*
 * Draws parts of the demo's output as the picture in README.md:
 *   npm run --silent demo | node scripts/demo-picture.ts > docs/demo.svg
 */
import { text } from 'node:stream/consumers';

/** The parts that are shown, by the beginning of their headings, and how many lines of each. */
const parts: [heading: string, maxLines: number][] = [
  ['"Save these six', 6],
  ['"How often do potted crops', 10],
  ['"What did I want to do', 2],
  ['"Done!"', 3],
];
const columns = 112;
const [letterWidth, lineHeight, margin] = [8, 19, 20];

const output = (await text(process.stdin))
  // The demo's site listens on another port each time.
  .replaceAll(/127\.0\.0\.1:\d+/g, '127.0.0.1:8000')
  .split('\n');

const lines = parts.flatMap(([heading, maxLines]) => {
  const start = output.findIndex((line) => line.replace(/^── /, '').startsWith(heading));
  if (start < 0) throw new Error(`the demo's output has no part that begins with ${heading}`);
  const rest = output.slice(start + 1);
  const end = rest.findIndex((line) => line.startsWith('── ') || line === '"Done!"');
  const body = rest.slice(0, end).filter((line, at, all) => line !== '' || all[at - 1] !== '');
  const shown = body.slice(body[0] === '' ? 1 : 0).slice(0, maxLines);
  return [output[start]?.replace(/^── (.*?) ─+$/, '$1') ?? '', ...shown, ''];
});

const width = columns * letterWidth + 2 * margin;
const height = lines.length * lineHeight + 2 * margin;
process.stdout
  .write(`<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" font-family="ui-monospace, SFMono-Regular, Menlo, Consolas, 'DejaVu Sans Mono', monospace" font-size="13" role="img">
<title>A conversation with an assistant that uses Commonplace: it saves six pages, answers a question with the passage of a PDF and a link to its page, and ticks off something to do.</title>
<rect width="${width}" height="${height}" rx="10" fill="#14181d"/>
${lines.flatMap(drawn).join('\n')}
</svg>
`);

function drawn(line: string, at: number): string[] {
  if (line === '') return [];
  const y = margin + (at + 0.8) * lineHeight;
  const cut = line.length > columns ? `${line.slice(0, columns - 1)}…` : line;
  return [`<text x="${margin}" y="${y.toFixed(1)}" xml:space="preserve" ${style(line)}>${escaped(cut)}</text>`];
}

function style(line: string): string {
  if (line.startsWith('"')) return 'fill="#f2c879" font-weight="bold"';
  if (/^\s*https?:/.test(line)) return 'fill="#7db7ff"';
  if (line.startsWith('    ')) return 'fill="#8b98a5"';
  return /^(?:✓|\[)/.test(line) ? 'fill="#8fd694"' : 'fill="#e6e9ec"';
}

function escaped(line: string): string {
  return line.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}
