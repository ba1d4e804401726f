#!/usr/bin/env node
import { sendConsoleToStderr } from './console-to-stderr.ts';

// The native parts crash on an older Node instead of refusing: nothing of the house is imported before this check.
const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);
if (major < 22 || (major === 22 && minor < 19)) {
  process.stderr.write(
    `commonplace needs Node.js 22.19 or newer, this is ${process.versions.node}. Install a newer one from https://nodejs.org, or name its full path as the command.\n`,
  );
  process.exitCode = 1;
} else {
  sendConsoleToStderr();
  const [{ runCommandLine }, { openCommandApp, readVersion }] = await Promise.all([
    import('./cli/program.ts'),
    import('./app.ts'),
  ]);
  process.exitCode = await runCommandLine(process.argv.slice(2), process, openCommandApp, readVersion());
  // Whatever still holds a timer or a thread has been told to end; the answer only has to leave the pipe.
  process.stdout.write('', () => process.exit());
}
