/*
 * Formulas in Markdown, as GitHub, Obsidian and Pandoc read them: LaTeX in `$…$`, or in `$$…$$` on a separate line.
 * Inside, nothing is Markdown: `\{` and `*` are literal. Sums of money are no formulas.
 */

/** In characters. A longer distance means two marks that do not belong together. */
const maxFormula = 5_000;
/** Marks of Markdown that say that two `$` do not belong together: code, strong text, a link, the end of a paragraph. */
const notInFormula = /`|\*\*|\]\(|\n[ \t]*\n/;

/** Whether a text has something that only LaTeX has: a command, an index, an exponent. */
export function isLatex(text: string): boolean {
  return /\\[a-z{|,;:!\\]|[\^_]/i.test(text);
}

/** Whether `$…$` can be LaTeX: no space inside the marks, and no digit after them, as in `$5 or $10`. */
export function isInlineFormula(inside: string, after: string | undefined): boolean {
  return /^[^\s$]/.test(inside) && !/[\s\\]$/.test(inside.slice(-1)) && !/\d/.test(after ?? '');
}

/** The offset after the formula that begins with the `$` at `at`; undefined if none begins there. */
export function formulaEnd(markdown: string, at: number): number | undefined {
  const mark = markdown[at + 1] === '$' ? '$$' : '$';
  const from = at + mark.length;
  let close = markdown.indexOf(mark, from);
  while (close !== -1 && close - from <= maxFormula && markdown[close - 1] === '\\')
    close = markdown.indexOf(mark, close + 1);
  if (close === -1 || close - from > maxFormula) return undefined;
  const inside = markdown.slice(from, close);
  const end = close + mark.length;
  if (!isLatex(inside) || notInFormula.test(inside)) return undefined;
  return mark === '$$' || isInlineFormula(inside, markdown[end]) ? end : undefined;
}
