import { spawn } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import * as fc from 'fast-check';
import { afterAll, expect, test } from 'vitest';
import { runBuilt } from '../support/command.ts';
import { builtProgram } from '../support/mcp.ts';
import { seed } from '../support/seed.ts';

const folder = mkdtempSync(join(tmpdir(), 'commonplace-import-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const bookmarks = 6_000;
const kills = 20;
/** When each process is killed: after so many lines of its report. Lines come in batches of 500. */
const moments = fc.sample(fc.integer({ min: 0, max: bookmarks - 500 }), { seed, numRuns: kills });

/** Imports, and kills the import when its report has grown to so many lines. */
function importUntil(file: string, data: string, report: string, lines: number): Promise<NodeJS.Signals | null> {
  return new Promise((resolve) => {
    const child = spawn(process.execPath, [builtProgram, 'import', file, '--data', data, '--report', report], {
      stdio: 'ignore',
    });
    const watch = setInterval(() => {
      if (existsSync(report) && readFileSync(report, 'utf8').split('\r\n').length > lines) child.kill('SIGKILL');
    }, 5);
    child.once('exit', (_code, signal) => {
      clearInterval(watch);
      resolve(signal);
    });
  });
}

test(
  'an import that is killed again and again ends whole: none missing, none twice',
  { timeout: 240_000 },
  async () => {
    const file = join(folder, 'bookmarks.html');
    const link = (at: number) =>
      `<DT><A HREF="https://example.org/${at}" ADD_DATE="${1_600_000_000 + at}" TAGS="t${at % 7}">Title ${at}</A>\n<DD>Note ${at}`;
    writeFileSync(
      file,
      `<!DOCTYPE NETSCAPE-Bookmark-file-1>\n<DL><p>\n${Array.from({ length: bookmarks }, (_, at) => link(at)).join('\n')}\n</DL>`,
    );
    const data = join(folder, 'data');
    let killed = 0;
    for (const [at, lines] of moments.entries())
      if ((await importUntil(file, data, join(folder, `${at}.csv`), lines)) === 'SIGKILL') killed += 1;
    expect(killed, `TEST_SEED=${seed}`).toBeGreaterThan(kills / 2);
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
         (SELECT count(*) FROM content_tags WHERE content = seq) AS tags, (SELECT count(*) FROM jobs WHERE content = seq) AS jobs
       FROM content ORDER BY created_at`,
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
  },
);

test('the answer counts by format and says why, and the report cannot be run as a formula', async () => {
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
