import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, readFileSync, readdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import * as fc from 'fast-check';
import { afterAll, expect, test } from 'vitest';
import { runBuilt } from '../support/command.ts';
import { type Faults, withFaults } from '../support/faults/faults.ts';
import { builtProgram } from '../support/mcp.ts';
import { seed } from '../support/vitest/seed.ts';
import { isThorough } from '../support/vitest/thorough.ts';

type Kill = NonNullable<Faults['kill']>;

const folder = mkdtempSync(join(tmpdir(), 'commonplace-import-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** Six writes of an import, or twelve. */
const bookmarks = isThorough ? 6_000 : 3_000;
/** As many as the program imports in one write. Every import has a write and a part of the report for each, also of what is there already. */
const batch = 500;
const kills = isThorough ? 20 : 7;

/** Each process kills itself when it has come to this point of its work so many times. */
const moments: readonly Kill[] = fc
  .sample(
    fc.record({
      at: fc.integer({ min: 1, max: bookmarks / batch }),
      place: fc.constantFrom(
        { point: 'before-commit', file: 'local.db' } as const,
        { point: 'after-commit', file: 'local.db' } as const,
        { point: 'file-written', file: '.csv' } as const,
      ),
    }),
    { seed, numRuns: kills },
  )
  .map(({ at, place }) => ({ ...place, at }));

/** Imports until it is killed, and says by which signal it ended. */
async function importUntil(kill: Kill, file: string, data: string, report: string): Promise<NodeJS.Signals | null> {
  const child = spawn(process.execPath, [builtProgram, 'import', file, '--data', data, '--report', report], {
    stdio: 'ignore',
    env: withFaults({ kill }),
  });
  const [, signal] = (await once(child, 'exit')) as [number | null, NodeJS.Signals | null];
  return signal;
}

test('an import that is killed repeatedly ends complete and without duplicates', async () => {
  const file = join(folder, 'bookmarks.html');
  const link = (at: number) =>
    `<DT><A HREF="https://example.org/${at}" ADD_DATE="${1_600_000_000 + at}" TAGS="t${at % 7}">Title ${at}</A>\n<DD>Note ${at}`;
  writeFileSync(
    file,
    `<!DOCTYPE NETSCAPE-Bookmark-file-1>\n<DL><p>\n${Array.from({ length: bookmarks }, (_, at) => link(at)).join('\n')}\n</DL>`,
  );
  const data = join(folder, 'data');
  for (const [at, kill] of moments.entries())
    expect(
      await importUntil(kill, file, data, join(folder, `${at}.csv`)),
      `TEST_SEED=${seed}: ${JSON.stringify(kill)}`,
    ).toBe('SIGKILL');
  const last = await runBuilt('import', file, '--data', data, '--json');
  expect(last.code).toBe(0);
  const { taken, merged, skipped, failed, report } = JSON.parse(last.stdout) as Record<string, number> & {
    report: string;
  };
  expect([merged, failed, (taken ?? 0) + (skipped ?? 0)]).toEqual([0, 0, bookmarks]);
  expect(readFileSync(report, 'utf8').trimEnd().split('\r\n')).toHaveLength(bookmarks + 1);

  const db = new Database(join(data, 'accounts', 'local.db'), { readonly: true });
  const rows = db
    .prepare<[], { url: string; title: string; notes: string; createdAt: number; tags: number; jobs: number }>(
      `SELECT url, given_title AS title, notes, created_at AS createdAt,
         (SELECT count(*) FROM item_tags WHERE item = seq) AS tags, (SELECT count(*) FROM jobs WHERE item = seq) AS jobs
       FROM items ORDER BY created_at`,
    )
    .all();
  db.close();
  expect(rows).toEqual(
    Array.from({ length: bookmarks }, (_, at) => ({
      url: `https://example.org/${at}`,
      title: `Title ${at}`,
      notes: `Note ${at}`,
      createdAt: (1_600_000_000 + at) * 1_000,
      tags: 1,
      jobs: 1,
    })),
  );
  expect((await runBuilt('doctor', '--check', '--data', data, '--embedder', 'none')).code).toBe(0);
});

test('the answer counts by format with reasons, and the report cannot be run as a formula', async () => {
  const file = join(folder, 'pocket.csv');
  writeFileSync(
    file,
    'title,url,time_added,tags,status\n=1+1,https://example.com/f,1600000000,,unread\nNo,,1600000000,,unread\n',
  );
  const data = join(folder, 'other');
  const run = await runBuilt('import', file, '--tag', 'old', '--data', data);
  expect(run.stdout).toMatch(/Pocket \(CSV\) +1 +0 +1 +0/);
  expect(run.stdout).toContain('skipped: it has no web address');
  const [report = ''] = readdirSync(join(data, 'imports'));
  expect(readFileSync(join(data, 'imports', report), 'utf8')).toContain(
    `pocket.csv,1,taken,,https://example.com/f,'=1+1,c_`,
  );
  expect(await runBuilt('import', join(folder, 'nothing'), '--data', data)).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('There is no file or folder') as string,
  });
});

test('a report whose name is taken at the same moment gets the next name', async () => {
  const file = join(folder, 'links.txt');
  writeFileSync(file, 'https://example.com/link\n');
  const data = join(folder, 'taken');
  mkdirSync(join(data, 'imports'), { recursive: true });
  // Looked for, nothing is there; to be made, it is.
  symlinkSync(join(folder, 'nowhere'), join(data, 'imports', 'links.txt-1.csv'));
  const run = await runBuilt('import', file, '--data', data, '--json');
  expect(run).toMatchObject({ code: 0 });
  expect(JSON.parse(run.stdout)).toMatchObject({ taken: 1, report: join(data, 'imports', 'links.txt-2.csv') });
});
