import { readFileSync } from 'node:fs';

/** One step from the first version of the schema to the present one. Only append: a migration that was released never changes. */
export interface Migration {
  name: string;
  readonly sql: string;
  /** Takes away or changes what programs that do not know this migration use. */
  isContraction?: boolean;
}

export function readSchema(): string {
  return readFileSync(new URL('./schema.sql', import.meta.url), 'utf8');
}

/** One statement of the schema, which begins with these words. */
function statement(words: string): string {
  const schema = readSchema();
  const start = schema.indexOf(`\nCREATE ${words}`);
  if (start === -1) throw new Error(`schema.sql creates no ${words}`);
  return schema
    .slice(start, schema.indexOf(';\n', start) + 2)
    .replace(/^\nCREATE (?=FUNCTION|TRIGGER)/, 'CREATE OR REPLACE ');
}

/** Tables of accounts, with their indexes, as the schema has them. */
function accountTables(...tables: string[]): string {
  const indexes = readSchema()
    .split(/(?<=;\n)/)
    .filter((statement) => /CREATE (?:UNIQUE )?INDEX /.test(statement));
  return tables
    .flatMap((table) => [
      statement(`TABLE ${table}`),
      ...indexes.filter((index) => index.includes(` ON ${table} (`)),
      `ALTER TABLE ${table} ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY;`,
      `CREATE POLICY own_account ON ${table} USING (account_id = current_setting('app.account', true));`,
    ])
    .join('\n');
}

/*
 * What is new comes from the schema. A later migration that changes it writes its older form here: a test compares what
 * the first version and all migrations make with the schema.
 */
export const migrations: readonly Migration[] = [
  {
    name: 'shelves, lists, proposed tags, priorities',
    get sql() {
      return `
      ALTER TABLE items ADD COLUMN shelf text NOT NULL DEFAULT 'inbox' CHECK (shelf IN ('inbox', 'later', 'archive')),
        ADD COLUMN read_at bigint, ADD COLUMN reading_start integer, ADD COLUMN reading_share double precision;
      ALTER TABLE items NO FORCE ROW LEVEL SECURITY, DISABLE TRIGGER USER;
      ALTER TABLE item_tags NO FORCE ROW LEVEL SECURITY;
      UPDATE items SET shelf = CASE WHEN EXISTS (SELECT 1 FROM item_tags t
          WHERE t.account_id = items.account_id AND t.item = items.seq AND t.folded = 'later') THEN 'later'
        ELSE 'archive' END
      WHERE NOT EXISTS (SELECT 1 FROM item_tags t
        WHERE t.account_id = items.account_id AND t.item = items.seq AND t.folded = 'unread');
      ALTER TABLE items FORCE ROW LEVEL SECURITY, ENABLE TRIGGER USER;
      ALTER TABLE item_tags FORCE ROW LEVEL SECURITY;
      ALTER TABLE actions ADD COLUMN priority text NOT NULL DEFAULT 'normal' CHECK (priority IN ('high', 'normal', 'low')),
        ADD COLUMN snoozed_until text;
      ALTER TABLE tokens ADD COLUMN held_to json;
      ${statement('INDEX items_by_shelf')}
      ${accountTables('lists', 'list_items', 'tag_proposals')}
      ${statement('FUNCTION noted(r items)')}
      ${statement('FUNCTION noted(r actions)')}
      ${statement('TRIGGER record_change AFTER INSERT OR DELETE OR UPDATE OF url')}
      `;
    },
  },
  {
    name: 'history of lists',
    get sql() {
      return [
        'FUNCTION noted(r lists)',
        'FUNCTION noted(r list_items)',
        'TRIGGER record_change AFTER INSERT OR DELETE OR UPDATE OF name',
        'TRIGGER record_change AFTER INSERT OR DELETE OR UPDATE OF ordinal',
      ]
        .map(statement)
        .join('');
    },
  },
  {
    name: 'pages fetched anew, sources',
    get sql() {
      return `
      ALTER TABLE jobs ADD COLUMN refresh boolean NOT NULL DEFAULT false;
      ${accountTables('page_checks', 'sources', 'source_entries')}
      DROP INDEX history_changes_by_subject;
      ${statement('INDEX history_changes_by_subject')}
      ${statement('FUNCTION noted(r sources)')}
      ${statement('TRIGGER record_change AFTER INSERT OR UPDATE OF name')}
      `;
    },
  },
];
