import { Client } from 'pg';

/*
 * The store as if every statement had forgotten its condition on the account: row-level security is then the only thing
 * that keeps accounts apart. Statements outside of a transaction of an account are left as they are: they read the tables
 * of `Control`, which have no policy.
 */

const condition = /\b(?:\w+\.)?account_id = (\$\d+)/g;

type Query = (this: Client, asked: unknown, ...more: unknown[]) => unknown;

/** Takes the condition out of all statements of this process until `restore` is called. */
export function takeOutAccountCondition(): { statements: ReadonlySet<string>; restore: () => void } {
  const statements = new Set<string>();
  const inAccount = new WeakSet<Client>();
  const original = Client.prototype.query as unknown as Query;
  const query: Query = function (asked, ...more) {
    const statement = typeof asked === 'string' ? { text: asked } : (asked as { text: string; name?: string });
    if (statement.text.startsWith('BEGIN') && statement.text.includes("'app.account'")) inAccount.add(this);
    if (['COMMIT', 'ROLLBACK'].includes(statement.text)) inAccount.delete(this);
    // The parameter stays in use, so that the server knows its type.
    const text = statement.text.replaceAll(condition, '($1::text IS NOT NULL)');
    if (!inAccount.has(this) || text === statement.text) return original.call(this, asked, ...more);
    statements.add(statement.text);
    const named = statement.name === undefined ? {} : { name: `w${statement.name}` };
    return original.call(this, { ...statement, text, ...named }, ...more);
  };
  const set = (used: Query) => Object.assign(Client.prototype, { query: used });
  set(query);
  return { statements, restore: () => void set(original) };
}
