#!/usr/bin/env node
import { fstatSync, writeFileSync } from 'node:fs';
import nodeModule from 'node:module';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import type { TakeModelAhead } from './app/model-ahead.ts';
import type { ProgramParts } from './cli/context.ts';
import { sendConsoleToStderr } from './cli/terminal/console-to-stderr.ts';

// Native modules crash on an older Node instead of refusing to load, so none of our modules is imported before this
// check.
const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);
if (major < 22 || (major === 22 && minor < 19)) {
  process.stderr.write(
    `commonplace needs Node.js 22.19 or newer, this is ${process.versions.node}. Install a newer one from https://nodejs.org, or name its full path as the command.\n`,
  );
  process.exitCode = 1;
} else {
  sendConsoleToStderr();
  // Node.js forgets the error of a standard stream at once.
  let lost: NodeJS.ErrnoException | null = null;
  process.stdout.on('error', (error) => (lost ??= error));
  // Without stderr, notes and logs are lost, and the work is done.
  process.stderr.on('error', () => undefined);
  if (isStdoutFile()) process.stdout._write = writeWhole;
  // The compile cache is beside the program: only users who may change the program may write there, unlike in the system's
  // temporary folder. Without write permission, every start compiles.
  nodeModule.enableCompileCache(fileURLToPath(new URL('../.cache', import.meta.url)));
  const mainFile = fileURLToPath(import.meta.url);
  const { askServer, allocateSmall, startModelAhead } = await import('./app/before-program.ts');
  const answered = await askServer(process.argv.slice(2), process.env, process.stdout, mainFile);
  if (answered === null) {
    allocateSmall(process.argv.some((word) => word === 'serve' || word === 'work'));
    process.exitCode = await runHere(mainFile, startModelAhead(process.argv.slice(2), process.env));
  } else {
    process.stderr.write(answered.stderr);
    process.stdout.write(answered.stdout);
    process.exitCode = answered.exitCode;
  }
  // All timers and threads have been told to end. Only wait until the output has left the pipe.
  process.stdout.write('', () => {
    lost ??= process.stdout.errored;
    // Whoever reads the beginning alone closes the pipe.
    if (lost !== null && lost.code !== 'EPIPE') {
      process.stderr.write('commonplace: The answer could not be written: the disk that it goes to may be full.\n');
      process.exitCode = 1;
    }
    process.exit();
  });
}

function isStdoutFile(): boolean {
  try {
    return fstatSync(1).isFile();
  } catch {
    // On Windows a program without a console may have no standard streams.
    return false;
  }
}

/** Writes to the file that stdout is. The stream's own write drops, without an error, what a full disk leaves of it. */
function writeWhole(chunk: Uint8Array | string, _encoding: BufferEncoding, done: (error?: Error) => void): void {
  try {
    writeFileSync(1, chunk);
  } catch (error) {
    done(error as Error);
    return;
  }
  done();
}

/** Runs the command line in this process. */
async function runHere(mainFile: string, takeModelAhead: TakeModelAhead): Promise<number> {
  const [{ runCommandLine }, { readVersion }] = await Promise.all([
    import('./cli/program.ts'),
    import('./settings/version.ts'),
  ]);
  const version = readVersion();
  const parts: ProgramParts = {
    openApp: async (config, options) => {
      const { openCommandApp } = await import('./app/command-app.ts');
      // Loading and opening take 50 ms each. Messages that arrived meanwhile are answered in between.
      await nextTurn();
      return openCommandApp(config, options, takeModelAhead);
    },
    checkLibrary: async (...asked) => (await import('./app/backups.ts')).checkLibrary(...asked),
    backups: async () => (await import('./app/backups.ts')).backups,
    databases: async () => (await import('./app/command-app.ts')).openDatabases(),
    answerCommands: async (app, config) =>
      (await import('./cli/asking/answer-commands.ts')).answerCommands({
        app,
        config,
        mainFile,
        run: (argv, streams, theirs, environment) => runCommandLine(argv, streams, theirs, version, environment),
      }),
  };
  return runCommandLine(process.argv.slice(2), process, parts, version);
}
