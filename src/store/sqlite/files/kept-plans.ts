/*
 * SQLite plans a statement anew when a parameter of it might now be worth another plan: since 3.54 it looks whether what a column
 * is compared with is 0 or 1, and at limits. better-sqlite3 clears the parameters after every run, which counts as such a change. So nearly
 * every query that is not a single lookup was compiled at each run, which took longer than running it. Behind a plus SQLite does not
 * look for the parameter's value (`sqlite3ExprIsInteger`); nothing else changes.
 */

const weighedParameter = /(?=[?@])(?<=(?:(?<![<>!])=|\bIS|\bLIMIT|\bOFFSET)\s*)/g;

/** The statement, written so that it keeps the plan that it got when it was prepared. */
export function withKeptPlan(sql: string): string {
  return sql.replaceAll(weighedParameter, '+');
}
