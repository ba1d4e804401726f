import { spawn } from 'node:child_process';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { performance } from 'node:perf_hooks';
import { createInterface } from 'node:readline';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';

/** Rounds in turns; what is compared are medians. */
const rounds = 15;

const clientInfo = { name: 'bench', version: '1.0.0' };
const requests = {
  initialize: { protocolVersion: '2025-11-25', capabilities: {}, clientInfo },
  'server/discover': {
    _meta: {
      'io.modelcontextprotocol/protocolVersion': '2026-07-28',
      'io.modelcontextprotocol/clientInfo': clientInfo,
      'io.modelcontextprotocol/clientCapabilities': {},
    },
  },
};
export type FirstRequest = keyof typeof requests;

const median = (values: number[]) => values.sort((a, b) => a - b)[values.length >> 1] ?? NaN;

export async function anonymousMb(pid: number): Promise<number> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8');
  return Number(/^RssAnon:\s*(\d+) kB/m.exec(status)?.[1] ?? 0) / 1_024;
}

/** Milliseconds from the start of the process to its first answer, and its anonymous memory and threads when idle. */
async function start(args: string[], method: FirstRequest, idleMs: number) {
  const began = performance.now();
  const child = spawn(process.execPath, args, { stdio: ['pipe', 'pipe', 'ignore'] });
  child.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', id: 1, method, params: requests[method] })}\n`);
  const lines = createInterface({ input: child.stdout });
  const answer = await new Promise<string>((resolve) => lines.once('line', resolve));
  const ms = performance.now() - began;
  if (!('result' in JSON.parse(answer))) throw new Error(`${method} was refused: ${answer}`);
  if (idleMs > 0) await sleep(idleMs);
  const idleMb = await anonymousMb(child.pid ?? 0);
  const exited = new Promise((resolve) => child.once('exit', resolve));
  child.stdin.end();
  child.kill();
  await exited;
  return { ms, idleMb };
}

/** The built server against a bare one of the same SDK, in turns. */
export async function measureStart(): Promise<Record<string, string>> {
  const folder = await mkdtemp(join(tmpdir(), 'commonplace-start-'));
  const built = [fileURLToPath(new URL('../dist/main.js', import.meta.url)), 'stdio', '--data', folder];
  const bare = [fileURLToPath(new URL('./bare-server.mjs', import.meta.url))];
  const figures: Record<string, string> = {};
  try {
    await start(built, 'initialize', 0);
    for (const method of Object.keys(requests) as FirstRequest[]) {
      const [ours, theirs]: [number[], number[]] = [[], []];
      for (let round = 0; round < rounds; round += 1) {
        ours.push((await start(built, method, 0)).ms);
        theirs.push((await start(bare, method, 0)).ms);
      }
      const [our, their] = [median(ours), median(theirs)];
      figures[`${method}, ms: ours, bare, ratio`] =
        `${our.toFixed(0)}, ${their.toFixed(0)}, ${(our / their).toFixed(2)}`;
    }
    figures['stdio server, idle for 5 s, MB'] = (await start(built, 'initialize', 5_000)).idleMb.toFixed(0);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
  return figures;
}
