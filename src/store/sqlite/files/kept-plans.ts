/*
 * SQLite recompiles a statement when a new parameter value could change its plan. Since 3.54 it checks whether a value
 * that a column is compared with is 0 or 1, and it checks limits. better-sqlite3 clears the parameters after every run,
 * which counts as such a change. So nearly every query other than a single lookup was recompiled on each run, which
 * took longer than the run itself. After a unary plus SQLite does not look at the parameter's value
 * (`sqlite3ExprIsInteger`); nothing else changes.
 */

const weighedParameter = /(?=[?@])(?<=(?:(?<![<>!])=|\bIS|\bFROM|\bLIMIT|\bOFFSET)\s*)/g;

/** Rewrites the statement so that it keeps the plan from when it was prepared. */
export function withKeptPlan(sql: string): string {
  return sql.replaceAll(weighedParameter, '+');
}
