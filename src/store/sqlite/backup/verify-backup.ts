import { rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { makeTemporaryFolder } from '../../../temporary-folder.ts';
import { checkFile, isOfOlderVersion } from '../checking/check-file.ts';
import { BackupFile } from './read-backup.ts';

export interface VerifiedBackup {
  createdAt: string | null;
  program: string | null;
  /** Whether everything in it can be restored. */
  isWhole: boolean;
  parts: { part: string; problems: string[] }[];
}

/**
 * Reads a backup to its end, compares every checksum, unpacks each database into the system's temporary folder and looks
 * through it as `doctor --check` does.
 * @throws {AppError} `invalid_input` when the file is not a backup, `newer_data` when a newer program has written it
 */
export async function verifyBackup(
  file: string,
  onDone: (done: number, total: number) => void,
): Promise<VerifiedBackup> {
  const backup = new BackupFile(file);
  const folder = makeTemporaryFolder(join(tmpdir(), 'commonplace-verify-'));
  try {
    const { info, parts, isComplete } = await backup.check();
    const results: VerifiedBackup['parts'] = [];
    for (const part of parts) {
      const problems = part.isWhole ? [] : ['it is missing or damaged'];
      if (part.isWhole && part.part !== 'config') {
        const path = join(folder, 'library.db');
        await backup.unpack(part, path);
        const found = checkFile(path, part.part === 'control' ? 'control' : 'account');
        problems.push(...found.filter((finding) => !isOfOlderVersion(finding)).map(({ problem }) => problem));
        rmSync(path);
      }
      results.push({ part: part.part, problems });
      onDone(results.length, parts.length);
    }
    if (!isComplete && results.every(({ problems }) => problems.length === 0))
      results.push({ part: 'the file itself', problems: ['it is cut off, or damaged between its parts'] });
    return {
      createdAt: info?.createdAt ?? null,
      program: info?.program ?? null,
      isWhole: results.every(({ problems }) => problems.length === 0),
      parts: results,
    };
  } finally {
    backup.close();
    rmSync(folder, { recursive: true, force: true });
  }
}
