import { execFile, spawn, type ChildProcess } from 'node:child_process';
import { promisify } from 'node:util';
import { builtProgram } from '../mcp.ts';

/** The built HTTP server as a separate process. */
export interface ServingProcess {
  url: string;
  /** What it printed when it listened. */
  printed: Record<string, unknown>;
  process: ChildProcess;
  /** Ends it; resolves when it is gone. */
  end(signal?: NodeJS.Signals): Promise<void>;
}

/**
 * @param port 0 takes any that is free
 * @param under the command that runs it, such as `prlimit`, with its arguments
 */
export async function startServing(
  folder: string,
  port = 0,
  flags: readonly string[] = [],
  {
    env,
    stderr = 'inherit',
    under = [],
  }: { env?: NodeJS.ProcessEnv; stderr?: 'inherit' | 'ignore'; under?: readonly string[] } = {},
): Promise<ServingProcess> {
  const [program = process.execPath, ...words] = [...under, process.execPath];
  const child = spawn(
    program,
    [
      ...words,
      builtProgram,
      'serve',
      '--json',
      '--port',
      String(port),
      '--data',
      folder,
      '--allow-private-addresses',
      'true',
      '--log-level',
      'error',
      ...flags,
    ],
    { stdio: ['ignore', 'pipe', stderr], ...(env !== undefined && { env }) },
  );
  const exited = new Promise<void>((resolve) => child.once('exit', () => resolve()));
  const printed = await new Promise<Record<string, unknown>>((resolve, reject) => {
    let said = '';
    child.stdout.setEncoding('utf8').on('data', (chunk: string) => {
      said += chunk;
      const [found] = /^\{\n[^]*?^\}$/m.exec(said) ?? [];
      if (found !== undefined) resolve(JSON.parse(found) as Record<string, unknown>);
    });
    child.once('exit', (code, signal) => reject(new Error(`serve ended with ${signal ?? code} before it listened`)));
  });
  return {
    url: String(printed['url']),
    printed,
    process: child,
    end: async (signal = 'SIGTERM') => {
      child.kill(signal);
      await exited;
    },
  };
}

/** Runs the built program and answers what it printed as JSON. */
export async function runCommand<T>(folder: string, ...command: string[]): Promise<T> {
  const { stdout } = await promisify(execFile)(process.execPath, [
    builtProgram,
    ...command,
    '--json',
    '--data',
    folder,
  ]);
  return JSON.parse(stdout) as T;
}
