/**
 * Mends what extractors write when a link or an image holds whole blocks: a link's marks may not span paragraphs, so
 * they go and its text stays; an image's description is brought onto one line. Code is left alone. One pass.
 */
export function tidyMarkdown(markdown: string): string {
  const cuts: Cut[] = [];
  let open: number[] = [];
  token.lastIndex = 0;
  for (let match = token.exec(markdown); match !== null; match = token.exec(markdown)) {
    const at = match.index;
    if (match[0].startsWith('\\')) continue;
    if (match[1] !== undefined) {
      const close = closingFence(markdown, token.lastIndex, match[1]);
      open = [];
      token.lastIndex = close;
    } else if (match[0] === '[') open.push(at);
    else {
      const start = open.pop();
      target.lastIndex = at;
      const end = start === undefined ? null : target.exec(markdown);
      if (start === undefined || end === null || !markdown.slice(start, at).includes('\n')) continue;
      if (markdown[start - 1] === '!') {
        const alt = markdown.slice(start + 1, at).replaceAll(/\s*\n\s*/g, ' ');
        cuts.push({ from: start + 1, to: at, text: alt.trim() });
      } else {
        cuts.push({ from: start, to: start + 1, text: '' }, { from: at, to: at + end[0].length, text: '' });
      }
    }
  }
  return apply(markdown, cuts);
}

interface Cut {
  from: number;
  to: number;
  text: string;
}

const token = /\\.|^ {0,3}(`{3,}|~{3,})|[[\]]/gm;
const target = /\]\((?:[^()\s]|\([^()\s]{0,2000}\)){0,8000}(?:\s{1,5}"[^"\n]{0,500}")?\)/y;

function closingFence(markdown: string, from: number, mark: string): number {
  const closing = new RegExp(`^ {0,3}${mark.charAt(0)}{${mark.length},}[ \\t]*$`, 'gm');
  closing.lastIndex = from;
  const found = closing.exec(markdown);
  return found === null ? markdown.length : found.index + found[0].length;
}

/** An image inside a link that goes keeps its own cut, so cuts never overlap but may come out of order. */
function apply(markdown: string, cuts: readonly Cut[]): string {
  const parts: string[] = [];
  let at = 0;
  for (const { from, to, text } of cuts.toSorted((a, b) => a.from - b.from)) {
    if (from < at) continue;
    parts.push(markdown.slice(at, from), text);
    at = to;
  }
  parts.push(markdown.slice(at));
  return parts.join('');
}
