import { connectOverStdio, type ClientKind } from '../../support/mcp.ts';
import { startServing } from '../../support/servers/serving.ts';

/** `done`: acknowledged; `refused`: not done; `unknown`: nobody answered, or the answer was that something broke. */
export type Answer = { outcome: 'done'; said: Record<string, unknown> } | { outcome: 'refused' | 'unknown' };

/** One way to talk to a process of the program. */
export interface Face {
  /** Whether a call that is sent again with its key is done once. */
  takesKeys: boolean;
  call(operation: Operation, input: Record<string, unknown>, key?: string): Promise<Answer>;
}

type Operation = keyof typeof operations;

/** What the clients call: the route under /api/v1, and the tool. */
const operations = {
  save: { method: 'POST', path: () => '/content', tool: 'save_content' },
  read: { method: 'GET', path: (id: string) => `/content/${id}`, tool: 'get_content' },
  edit: { method: 'PUT', path: (id: string) => `/content/${id}`, tool: 'update_content' },
  delete: { method: 'DELETE', path: (id: string) => `/content/${id}`, tool: 'delete_content' },
  restore: { method: 'POST', path: (id: string) => `/content/${id}/restore`, tool: 'restore_content' },
  undo: { method: 'POST', path: (id: string) => `/history/${id}/undo`, tool: 'undo' },
  complete: { method: 'POST', path: (id: string) => `/actions/${id}/complete`, tool: 'complete_action' },
  'add goal': { method: 'POST', path: () => '/goals', tool: 'add_goal' },
  search: { method: 'POST', path: () => '/search', tool: 'search' },
} as const;

/** A process of the program that clients talk to. */
export interface RunningProcess {
  kind: 'server' | 'assistant';
  face: Face;
  pid: number;
  isRunning(): boolean;
  /** Whether it has done anything for a client. */
  hasWorked(): boolean;
  whenEnded: Promise<void>;
  /** @returns whether the process was there to get it; its end is noticed a little later */
  kill(signal: NodeJS.Signals): boolean;
}

/** A call that takes longer has no answer, and that is a failure. */
const patienceMs = 60_000;

export class NoAnswerError extends Error {}

const flags = ['--embedder', 'none', '--manage-tools', 'true', '--log-level', 'silent'];

/** Unless the environment says something else. */
const defaults = { COMMONPLACE_WORKERS: '2' };

async function inTime(name: Operation, call: (signal: AbortSignal) => Promise<Answer>): Promise<Answer> {
  const patience = AbortSignal.timeout(patienceMs);
  try {
    return await call(patience);
  } catch {
    if (patience.aborted) throw new NoAnswerError(`${name} had no answer after ${patienceMs / 1_000} s`);
    return { outcome: 'unknown' };
  }
}

/** @throws when it ended before it listened */
export async function startServer(
  folder: string,
  token: string,
  env: NodeJS.ProcessEnv,
): Promise<RunningProcess & { url: string }> {
  const settings = [...flags, '--api-v1', 'true', '--rate-limit-per-minute', '0'];
  const { url, process: child } = await startServing(folder, 0, settings, {
    env: { ...defaults, ...env },
    stderr: 'ignore',
  });
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
  const isRunning = (): boolean => child.exitCode === null && child.signalCode === null;
  const whenEnded = new Promise<void>((resolve) => {
    child.once('exit', () => resolve());
    if (!isRunning()) resolve();
  });
  const ask = async (name: Operation, input: Record<string, unknown>, key: string | undefined, signal: AbortSignal) => {
    const { method, path } = operations[name];
    const { id, ...fields } = input as { id?: string };
    return await fetch(`${url}/api/v1${path(id ?? '')}`, {
      method,
      headers: { ...headers, ...(key !== undefined && { 'idempotency-key': key }) },
      signal,
      ...(method !== 'GET' && method !== 'DELETE' && { body: JSON.stringify(fields) }),
    });
  };
  return {
    url,
    kind: 'server',
    pid: child.pid ?? 0,
    isRunning,
    hasWorked: () => true,
    whenEnded,
    kill: (signal) => child.kill(signal),
    face: {
      takesKeys: true,
      call: (name, input, key) =>
        inTime(name, async (signal) => {
          const answer = await ask(name, input, key, signal);
          const said = (await answer.json()) as Record<string, unknown>;
          if (answer.ok) return { outcome: 'done', said };
          return { outcome: answer.status >= 500 ? 'unknown' : 'refused' };
        }),
    },
  };
}

/** A desktop assistant with a server of its own over stdio. */
export async function startAssistant(
  folder: string,
  kind: ClientKind,
  env: NodeJS.ProcessEnv,
): Promise<RunningProcess> {
  const client = await connectOverStdio(kind, folder, flags, { ...defaults, ...env });
  let [isEnded, hasWorked] = [false, false];
  const watchEnd = async (): Promise<void> => {
    await client.whenClosed;
    isEnded = true;
  };
  const whenEnded = watchEnd();
  return {
    kind: 'assistant',
    pid: client.pid,
    isRunning: () => !isEnded,
    hasWorked: () => hasWorked,
    whenEnded,
    kill(signal) {
      try {
        return !isEnded && process.kill(client.pid, signal);
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code === 'ESRCH') return false;
        throw error;
      }
    },
    face: {
      takesKeys: false,
      call: (name, input) =>
        inTime(name, async (signal) => {
          if (isEnded) return { outcome: 'unknown' };
          const { isError, structured } = await client.call(operations[name].tool, input, { signal });
          hasWorked ||= !isError;
          // An error over MCP does not tell whether anything was done.
          return isError ? { outcome: 'unknown' } : { outcome: 'done', said: structured as Record<string, unknown> };
        }),
    },
  };
}
