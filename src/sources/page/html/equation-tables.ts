import type { DomNode } from './dom-node.ts';

/*
 * Tables that only set equations in columns, as LaTeXML and arXiv write them: a row is one equation, with its number.
 */

const equationClass = /eqn|equation/i;
const equationNumber = /^\(?([\w.′'-]{1,10})\)$/;

/** Replaces each table of equations by its equations, which `create` makes of their LaTeX. */
export function replaceEquationTables(tables: Iterable<DomNode>, create: (latex: string) => DomNode): void {
  for (const table of tables) {
    const rows = table.querySelector('table') === null ? equationsOf(table) : null;
    if (rows !== null) table.replaceWith(...rows.map(create));
  }
}

/** The LaTeX of each row; null if the table has other text, or columns that say something. */
function equationsOf(table: DomNode): string[] | null {
  if (table.querySelector('math') === null) return null;
  const isNamed = equationClass.test(table.getAttribute('class') ?? '');
  const equations: string[] = [];
  for (const row of table.querySelectorAll('tr')) {
    const parts = [...row.querySelectorAll('math')];
    if (parts.length > 1 && !isNamed) return null;
    let rest = row.textContent ?? '';
    for (const { textContent } of parts) rest = rest.replace(textContent ?? '', '');
    const number = equationNumber.exec(rest.trim())?.[1];
    if (rest.trim() !== '' && number === undefined) return null;
    const latex = parts.map((part) => (part.getAttribute('alttext') ?? '').replace(/^\\displaystyle\s*/, '')).join(' ');
    if (latex.trim() !== '') equations.push(number === undefined ? latex : String.raw`${latex} \tag{${number}}`);
  }
  return equations.length === 0 ? null : equations;
}
