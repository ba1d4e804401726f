import { spawn } from 'node:child_process';
import { setTimeout as wait } from 'node:timers/promises';
import type { Environment } from '../settings/config.ts';

/** How to start the browser: a program and its arguments before the address. */
export interface Opener {
  program: string;
  args: readonly string[];
}

/** Some systems keep the program that opens an address alive as long as the browser runs. */
const maxWaitMs = 2_000;

/** The program that opens an address on this machine; null where there is no display to show a browser on. */
export function openerFor(platform: NodeJS.Platform, environment: Environment): Opener | null {
  const isRemote = isSet(environment['SSH_CONNECTION']) || isSet(environment['SSH_TTY']);
  if (platform === 'win32') return isRemote ? null : { program: 'rundll32', args: ['url.dll,FileProtocolHandler'] };
  if (platform === 'darwin') return isRemote ? null : { program: 'open', args: [] };
  const hasDisplay = isSet(environment['DISPLAY']) || isSet(environment['WAYLAND_DISPLAY']);
  return hasDisplay ? { program: 'xdg-open', args: [] } : null;
}

function isSet(value: string | undefined): boolean {
  return value !== undefined && value !== '';
}

/** Opens an address, without a shell. Resolves to false when the program is missing or says that it could not. */
export async function openAddress({ program, args }: Opener, url: URL, signal: AbortSignal): Promise<boolean> {
  const child = spawn(program, [...args, url.href], { stdio: 'ignore', detached: true });
  child.unref();
  const timer = new AbortController();
  try {
    return await Promise.race([
      new Promise<boolean>((resolve) => {
        child.on('error', () => resolve(false));
        child.on('exit', (code) => resolve(code === 0));
      }),
      wait(maxWaitMs, true, { signal: AbortSignal.any([timer.signal, signal]) }),
    ]);
  } finally {
    timer.abort();
  }
}
