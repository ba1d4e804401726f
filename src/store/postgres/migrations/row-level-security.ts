/** A transaction sees the rows of the account alone that it has named in `app.account`; the owner of the tables, too. */
export function rowLevelSecurity(tables: readonly string[]): string {
  return tables
    .map(
      (table) => `
ALTER TABLE ${table} ENABLE ROW LEVEL SECURITY;
ALTER TABLE ${table} FORCE ROW LEVEL SECURITY;
CREATE POLICY own_account ON ${table} USING (account_id = current_setting('app.account', true));`,
    )
    .join('');
}
