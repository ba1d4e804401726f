import { execFile } from 'node:child_process';
import { EventEmitter } from 'node:events';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { text } from 'node:stream/consumers';
import { openCommandApp, openDatabases } from '../../src/app/command-app.ts';
import type { CommandApp, ProgramParts, Streams } from '../../src/cli/context.ts';
import { runCommandLine } from '../../src/cli/program.ts';
import { checkLibrary } from '../../src/store/sqlite/checking/check-library.ts';
import { readVersion } from '../../src/settings/version.ts';
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

/**
 * Runs a command line in this process, with everything it opens: a tenth of the processor time that the built program
 * takes to start. Signals, and files of the home folder, need `runBuilt`.
 */
export function runHere(...args: string[]): Promise<Outcome> {
  return runHereWith('', ...args);
}

/** The same with something piped in. */
export async function runHereWith(input: string | Uint8Array, ...args: string[]): Promise<Outcome> {
  const [stdout, stderr] = [new PassThrough(), new PassThrough()];
  const shown = Promise.all([text(stdout), text(stderr)]);
  const streams = Object.assign(new EventEmitter(), { stdin: new PassThrough().end(input), stdout, stderr });
  const opened: CommandApp[] = [];
  const parts: ProgramParts = {
    openApp: async (...asked) => {
      const app = await openCommandApp(...asked);
      opened.push(app);
      return app;
    },
    checkLibrary,
    backups: () => Promise.reject(new Error('a command that is run here makes no backups')),
    databases: openDatabases,
    answerCommands: () => Promise.reject(new Error('a command that is run here serves nobody')),
  };
  const code = await runCommandLine(args, streams as unknown as Streams & NodeJS.EventEmitter, parts, readVersion());
  // The program exits when closing takes long: here the next command would find it still at work.
  await Promise.all(opened.map((app) => app.close()));
  stdout.end();
  stderr.end();
  const [out, err] = await shown;
  return { code, stdout: out, stderr: err };
}
