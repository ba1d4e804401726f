import { execFile } from 'node:child_process';
import { builtProgram } from './mcp.ts';

export interface Outcome {
  code: number;
  stdout: string;
  stderr: string;
}

/** Runs the built program as a person would, to its end. */
export function runBuilt(...args: string[]): Promise<Outcome> {
  return new Promise((resolve) => {
    execFile(process.execPath, [builtProgram, ...args], { maxBuffer: 64 << 20 }, (error, stdout, stderr) => {
      resolve({ code: error === null ? 0 : Number(error.code), stdout, stderr });
    });
  });
}
