import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { builtProgram } from './mcp.ts';

export interface Outcome {
  code: number;
  stdout: string;
  stderr: string;
}

/** A home folder that is not there: `doctor` would start the servers that the assistants of the real one name. */
const noHome = join(import.meta.dirname, 'no-such-home');

/** Runs the built program as a person would, to its end. */
export function runBuilt(...args: string[]): Promise<Outcome> {
  return runBuiltIn({ HOME: noHome, XDG_CONFIG_HOME: undefined }, ...args);
}

/** The same with other variables. */
export function runBuiltIn(environment: NodeJS.ProcessEnv, ...args: string[]): Promise<Outcome> {
  return new Promise((resolve) => {
    execFile(
      process.execPath,
      [builtProgram, ...args],
      { maxBuffer: 64 << 20, env: { ...process.env, FORCE_COLOR: undefined, ...environment } },
      (error, stdout, stderr) => {
        resolve({ code: error === null ? 0 : Number(error.code), stdout, stderr });
      },
    );
  });
}
