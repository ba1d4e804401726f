import { readInline } from '../../domain/text/inline-markdown.ts';
import { entity } from '../../domain/text/inline-text.ts';
import { run, type StyledRun } from './wrap.ts';

/** The styles of the terminal, from the innermost escape code to the outermost. */
const looks = [
  ['strong', 'strong'],
  ['em', 'emphasis'],
  ['del', 'meta'],
  ['code', 'code'],
] as const;

/** Inline Markdown as runs: emphasis, code, links. */
export function inlineRuns(markdown: string): StyledRun[] {
  return readInline(markdown, entity).flatMap(({ text, start, end, styles, href, image }) => {
    if (image !== undefined) return text === '' ? [] : [run(`[${text}]`, ['meta'])];
    const url = href || undefined;
    const own = looks.flatMap(([style, look]) => (styles.has(style) ? look : []));
    const words = styles.has('sup') ? markdown.slice(start, end) : text;
    return [run(words, url === undefined ? own : [...own, 'link'], url)];
  });
}
