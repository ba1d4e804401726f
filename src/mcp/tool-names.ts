const toolName = /`([a-z]+(?:_[a-z]+)*)`/g;

/** Leaves out the clauses that name a tool which the caller does not have: a model would try to call it. */
export function namingOnly(tools: ReadonlySet<string>, text: string): string {
  const clauses = text.split(/(?<=[.;]) /);
  const kept = clauses.filter((clause) =>
    Array.from(clause.matchAll(toolName)).every(([, name = '']) => tools.has(name)),
  );
  const rest = kept.join(' ');
  return rest.endsWith(';') ? `${rest.slice(0, -1)}.` : rest;
}
