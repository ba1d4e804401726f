import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { chown, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { serverUser } from './programs.ts';

const program = ['/usr/sbin/pgbouncer', '/opt/homebrew/bin/pgbouncer'].find((path) => existsSync(path));

/** Whether PgBouncer is on this machine. */
export const hasPgBouncer = program !== undefined;
if (!hasPgBouncer)
  process.stderr.write(
    'NOT TRIED: servers behind a real PgBouncer, because none was found (Debian: apt-get install pgbouncer).\n',
  );

/** Fewer than connections come, so that a transaction mostly runs in another session than the one before. */
const serverConnections = 3;

/** PgBouncer in transaction mode between nodes and a server, on a socket in its own folder. */
export class PgBouncer {
  readonly #folder: string;
  readonly #process: ChildProcess;

  private constructor(folder: string, process: ChildProcess) {
    this.#folder = folder;
    this.#process = process;
  }

  /** @param url of any database of the server, behind a Unix socket */
  static async start(url: string): Promise<PgBouncer> {
    if (program === undefined) throw new Error('no PgBouncer on this machine');
    const folder = await mkdtemp(join(tmpdir(), 'pgbouncer-'));
    if (serverUser.uid !== undefined) await chown(folder, serverUser.uid, serverUser.gid);
    const [names, settings] = [join(folder, 'users'), join(folder, 'pgbouncer.ini')];
    await writeFile(names, ['app', 'owner'].map((name) => `"${name}" ""\n`).join(''));
    await writeFile(
      settings,
      `[databases]
* = host=${decodeURIComponent(new URL(url).hostname)}
[pgbouncer]
listen_port = 6432
unix_socket_dir = ${folder}
auth_type = trust
auth_file = ${names}
pool_mode = transaction
default_pool_size = ${serverConnections}
max_client_conn = 200
`,
    );
    const child = spawn(program, [settings], { ...serverUser, stdio: ['ignore', 'ignore', 'pipe'] });
    let said = '';
    for await (const line of createInterface(child.stderr)) {
      said += `${line}\n`;
      if (line.includes('process up')) break;
    }
    if (!said.includes('process up')) throw new Error(`PgBouncer did not start: ${said}`);
    child.stderr.resume();
    return new PgBouncer(folder, child);
  }

  /** The same database and role, through PgBouncer. */
  urlOf(url: string): string {
    const { username, pathname } = new URL(url);
    return `postgres://${username}@${encodeURIComponent(this.#folder)}:6432${pathname}`;
  }

  async stop(): Promise<void> {
    const ended = once(this.#process, 'exit');
    this.#process.kill('SIGKILL');
    await ended;
    await rm(this.#folder, { recursive: true, force: true });
  }
}
