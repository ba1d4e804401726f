/** Writes a table as Markdown. The first row becomes its head. */
export function tableMarkdown(rows: readonly (readonly string[])[]): string {
  const [head = [], ...others] = rows.map((row) => `| ${row.map(inCell).join(' | ')} |`);
  return [head, `|${' --- |'.repeat(rows[0]?.length ?? 0)}`, ...others].join('\n');
}

function inCell(text: string): string {
  return text
    .replaceAll(/\s+/g, ' ')
    .replaceAll('|', String.raw`\|`)
    .replaceAll(/<(?=[a-z/!?])/gi, String.raw`\<`);
}
