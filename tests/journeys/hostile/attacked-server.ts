import { spawn, type ChildProcess } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { runCommand } from '../../support/servers/serving.ts';

/** A stretch in which the main thread did nothing else. */
interface BusyStretch {
  /** When it ended: milliseconds since the epoch. */
  at: number;
  /** Of the main thread's own processor time. */
  busyMs: number;
}

/** The built server with two accounts, watched from outside. */
export interface AttackedServer {
  url: string;
  folder: string;
  attackerId: string;
  /** Tokens. */
  attacker: string;
  neighbour: string;
  /** Stretches that ended since `since`, the longest first. */
  busyStretches(since: number): BusyStretch[];
  /**
   * The most anonymous memory that all its processes had together since it was last asked, in bytes; null where the system does not
   * tell.
   */
  takePeakMemory(): number | null;
  /** How it ended, or null while it runs. */
  ended(): string | null;
  stop(): Promise<void>;
}

const program = fileURLToPath(new URL('../../../dist/main.js', import.meta.url));
const probe = new URL('./main-thread-probe.mjs', import.meta.url).href;
const memorySampleMs = 100;

export async function startAttackedServer(flags: readonly string[]): Promise<AttackedServer> {
  const folder = await mkdtemp(join(tmpdir(), 'commonplace-hostile-'));
  const attacker = await makeAccount(folder, 'Attacker');
  const neighbour = await makeAccount(folder, 'Neighbour');
  const probeFile = join(folder, 'busy-stretches.jsonl');
  const places = ['--json', '--port', '0', '--data', folder, '--allow-private-addresses', 'true'];
  const settings = [...places, '--sign-in', 'password'];
  const child = spawn(
    process.execPath,
    [
      '--import',
      probe,
      program,
      'serve',
      ...settings,
      '--rate-limit-per-minute',
      '1000000',
      '--manage-tools',
      'true',
      '--api-v1',
      'true',
      ...flags,
    ],
    { stdio: ['ignore', 'pipe', 'pipe'], env: { ...process.env, COMMONPLACE_PROBE_FILE: probeFile } },
  );
  let errors = '';
  child.stderr.setEncoding('utf8').on('data', (chunk: string) => (errors = (errors + chunk).slice(-20_000)));
  let ending: string | null = null;
  const exited = new Promise<void>((resolve) => {
    child.once('exit', (code, signal) => {
      ending = `ended with ${signal ?? code}: ${errors.slice(-2_000)}`;
      resolve();
    });
  });
  const url = await listeningUrl(child);
  let peak: number | null = null;
  const sampling = setInterval(() => {
    const bytes = anonymousMemoryOfTree(child.pid ?? 0);
    if (bytes !== null) peak = Math.max(peak ?? 0, bytes);
  }, memorySampleMs);
  return {
    url,
    folder,
    attackerId: attacker.id,
    attacker: attacker.token,
    neighbour: neighbour.token,
    busyStretches: (since) =>
      readStretches(probeFile)
        .filter(({ at }) => at >= since)
        .toSorted((a, b) => b.busyMs - a.busyMs),
    takePeakMemory() {
      const taken = peak;
      peak = null;
      return taken;
    },
    ended: () => ending,
    async stop() {
      clearInterval(sampling);
      child.kill('SIGTERM');
      await exited;
      await rm(folder, { recursive: true, force: true });
    },
  };
}

async function makeAccount(folder: string, name: string): Promise<{ id: string; token: string }> {
  const { id } = await runCommand<{ id: string }>(folder, 'account', 'add', name);
  const { token } = await runCommand<{ token: string }>(folder, 'token', 'create', name, '--account', id);
  return { id, token };
}

function listeningUrl(child: ChildProcess): Promise<string> {
  return new Promise((resolve, reject) => {
    let said = '';
    child.stdout?.setEncoding('utf8').on('data', (chunk: string) => {
      said += chunk;
      const [, found] = /"url": "([^"]+)"/.exec(said) ?? [];
      if (found !== undefined) resolve(found);
    });
    child.once('exit', (code) => reject(new Error(`the server ended with ${code} before it listened`)));
  });
}

function readStretches(file: string): BusyStretch[] {
  if (!existsSync(file)) return [];
  return readFileSync(file, 'utf8')
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line) as BusyStretch);
}

/** Of a process and all its descendants; null where there is no /proc. Pages that belong to files do not count. */
export function anonymousMemoryOfTree(pid: number): number | null {
  try {
    const kilobytes = Number(/RssAnon:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? 0);
    const children = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').split(' ').filter(Boolean);
    return children.reduce((sum, child) => sum + (anonymousMemoryOfTree(Number(child)) ?? 0), kilobytes * 1024);
  } catch {
    return null;
  }
}
