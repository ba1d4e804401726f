import { spawn } from 'node:child_process';
import { mkdtemp, open, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { performance } from 'node:perf_hooks';
import { fileURLToPath } from 'node:url';

/*
 * How long the built program takes to import bookmarks, and how much memory it needs: `node bench/import.ts [bookmarks]`.
 * Nothing is fetched. The memory is the anonymous memory of the whole process, with its threads.
 */

const count = Number(process.argv[2] ?? 50_000);
const main = fileURLToPath(new URL('../dist/main.js', import.meta.url));

/** Bookmarks in a hundred folders, one in twenty saved twice, one in ten with an icon. */
async function writeBookmarks(path: string): Promise<void> {
  const file = await open(path, 'w');
  await file.write('<!DOCTYPE NETSCAPE-Bookmark-file-1>\n<TITLE>Bookmarks</TITLE>\n<H1>Bookmarks</H1>\n<DL><p>\n');
  for (let folder = 0; folder < 100; folder += 1) {
    const lines = [`<DT><H3>Folder ${folder}</H3>\n<DL><p>\n`];
    for (let at = folder; at < count; at += 100) {
      const address = at % 20 === 19 ? at - 1 : at;
      const icon = at % 10 === 0 ? ` ICON="data:image/png;base64,${'A'.repeat(1_500)}"` : '';
      const link = `HREF="https://site-${address % 5_000}.example/articles/${address}?ref=bookmarks&amp;page=${address % 7}"`;
      lines.push(
        `<DT><A ${link} ADD_DATE="${1_500_000_000 + at}"${icon} TAGS="tag${at % 300}">A title of page ${address} &amp; more</A>\n`,
      );
      if (at % 15 === 0) lines.push(`<DD>What I thought about page ${address}\n`);
    }
    await file.write(`${lines.join('')}</DL><p>\n`);
  }
  await file.write('</DL><p>\n');
  await file.close();
}

interface Run {
  seconds: number;
  peakMegabytes: number;
  answer: Record<string, unknown>;
}

async function importOnce(folder: string, bookmarks: string): Promise<Run> {
  const started = performance.now();
  const child = spawn(process.execPath, [main, 'import', bookmarks, '--data', join(folder, 'data'), '--json'], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let peak = 0;
  const watch = setInterval(() => {
    void readFile(`/proc/${child.pid}/status`, 'utf8').then(
      (status) => (peak = Math.max(peak, Number(/RssAnon:\s+(\d+)/.exec(status)?.[1] ?? 0))),
      () => undefined,
    );
  }, 20);
  let printed = '';
  child.stdout.on('data', (chunk: Buffer) => (printed += chunk.toString()));
  await new Promise((resolve) => void child.once('close', resolve));
  clearInterval(watch);
  return {
    seconds: Number(((performance.now() - started) / 1_000).toFixed(1)),
    peakMegabytes: Math.round(peak / 1_024),
    answer: JSON.parse(printed) as Record<string, unknown>,
  };
}

const folder = await mkdtemp(join(tmpdir(), 'commonplace-bench-import-'));
const bookmarks = join(folder, 'bookmarks.html');
await writeBookmarks(bookmarks);
const rows: Record<string, object> = {};
for (const name of ['first run', 'second run']) {
  const { seconds, peakMegabytes, answer } = await importOnce(folder, bookmarks);
  const { taken, merged, skipped, failed } = answer;
  rows[name] = { seconds, 'peak MB': peakMegabytes, taken, merged, skipped, failed };
}
console.table(rows);
await rm(folder, { recursive: true });
