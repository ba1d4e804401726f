import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { runBuilt } from '../../support/command.ts';
import { clientKinds, connectOverHttp, connectOverStdio } from '../../support/mcp.ts';
import type { Face } from '../torture/faces.ts';
import type { Random } from '../torture/random.ts';

/** What the load works on. */
export interface Soaked {
  url: string;
  token: string;
  folder: string;
  workFolder: string;
  random: Random;
  /** Aborts when the time is over. */
  over: AbortSignal;
  fail(words: string): void;
}

/** What calls took, in milliseconds. */
export interface Times {
  answers: number[];
  /** Of the control, each right before the answer that has the same place. */
  control: number[];
}

/** A face whose calls come at a steady pace. Before each, the control is called: both are timed. */
export function paced(face: Face, pauseMs: number, over: AbortSignal, control: Control, times: Times): Face {
  return {
    takesKeys: face.takesKeys,
    async call(operation, input, key) {
      await sleep(pauseMs, undefined, { signal: over }).catch(() => undefined);
      const began = performance.now();
      await control.call(`${operation} ${JSON.stringify(input)}`);
      const between = performance.now();
      const answer = await face.call(operation, input, key);
      times.answers.push(performance.now() - between);
      times.control.push(between - began);
      return answer;
    },
  };
}

/** The server of `control.ts`, as a separate process. */
export interface Control {
  call(about: string): Promise<void>;
  end(): Promise<void>;
}

export async function startControl(file: string): Promise<Control> {
  const program = fileURLToPath(new URL('./control.ts', import.meta.url));
  const child = spawn(process.execPath, [program, file], { stdio: ['ignore', 'pipe', 'inherit'] });
  const [port] = (await once(child.stdout, 'data')) as [Buffer];
  return {
    async call(about) {
      const answer = await fetch(`http://127.0.0.1:${Number(port)}`, {
        method: 'POST',
        body: JSON.stringify({ about }),
      });
      await answer.json();
    },
    async end() {
      child.kill();
      await once(child, 'exit');
    },
  };
}

/** Does something again and again until the time is over. */
async function every(
  what: string,
  ms: number,
  { over, fail }: Soaked,
  act: (round: number) => Promise<void>,
): Promise<void> {
  for (let round = 1; !over.aborted; round += 1) {
    await act(round).catch((error: unknown) => fail(`${what} in round ${round}: ${String(error)}`));
    await sleep(ms, undefined, { signal: over }).catch(() => undefined);
  }
}

/** Assistants connect over HTTP, look around and leave, every other one without a word. */
export const sessions = (soaked: Soaked, pauseMs: number): Promise<void> =>
  every('a session', pauseMs, soaked, async (round) => {
    const client = await connectOverHttp(soaked.random.pick(clientKinds), soaked.url, soaked.token);
    await client.listTools();
    const { isError } = await client.call('search', { query: 'persistence', limit: 2 });
    if (isError) soaked.fail('a search over MCP failed');
    if (round % 2 === 0) await client.close();
  });

/** Connections that break off: in the middle of the head, of the body, or before the answer. */
export const cutConnections = (soaked: Soaked, pauseMs: number): Promise<void> =>
  every('a cut connection', pauseMs, soaked, async () => {
    const { hostname, port } = new URL(soaked.url);
    const head = `POST /search HTTP/1.1\r\nHost: ${hostname}\r\nAuthorization: Bearer ${soaked.token}\r\nContent-Type: application/json\r\nContent-Length: 40\r\n\r\n`;
    const whole = `${head}${'{"query":"persistence","limit":5}'.padEnd(40)}`;
    const socket = connect(Number(port), hostname).on('error', () => undefined);
    await new Promise<void>((resolve) => {
      socket.write(whole.slice(0, soaked.random.below(whole.length) + 1), () => resolve());
      socket.once('close', () => resolve());
    });
    socket.destroy();
  });

/** An assistant's own process on the same data folder, which is killed. */
export const killedAssistants = (soaked: Soaked, pauseMs: number): Promise<void> =>
  every('an assistant', pauseMs, soaked, async () => {
    const flags = ['--embedder', 'none', '--log-level', 'silent'];
    const client = await connectOverStdio('v2 client, 2026-07-28', soaked.folder, flags);
    const { isError } = await client.call('list_content', { limit: 5 });
    if (isError) soaked.fail('a list over stdio failed');
    process.kill(client.pid, 'SIGKILL');
    await client.whenClosed;
  });

/** Commands on the folder that is served: import, undo of it, export, backup and its check, doctor. */
export const commands = (soaked: Soaked, pauseMs: number): Promise<void> =>
  every('commands', pauseMs, soaked, async (round) => {
    const { folder, workFolder } = soaked;
    const place = join(workFolder, `round-${round}`);
    mkdirSync(place);
    const run = async (...args: string[]): Promise<string> => {
      const { code, stdout, stderr } = await runBuilt(...args, '--data', folder, '--embedder', 'none');
      if (code !== 0) soaked.fail(`${args[0]} ended with ${code}: ${stderr}`);
      return stdout;
    };
    // Of a host that is not there: nothing is fetched from anybody else's.
    const lines = Array.from(
      { length: 50 },
      (_, at) => `<DT><A HREF="http://127.0.0.1:9/${round}/${at}">Bookmark ${at}</A>`,
    );
    const file = join(place, 'bookmarks.html');
    writeFileSync(file, `<!DOCTYPE NETSCAPE-Bookmark-file-1>\n<DL><p>\n${lines.join('\n')}\n</DL>`);
    const { undo } = JSON.parse(await run('import', file, '--json')) as { undo: string };
    await run('undo', undo);
    await run('export', join(place, 'exported'));
    await run('backup', join(place, 'library.zip'));
    await run('backup', 'verify', join(place, 'library.zip'));
    await run('doctor', '--check');
    rmSync(place, { recursive: true });
  });
