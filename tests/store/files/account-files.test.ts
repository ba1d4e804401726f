import { copyFileSync, mkdirSync, renameSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { newId } from '../../../src/domain/records/ids.ts';
import { AccountFiles, type OpenFileLimits } from '../../../src/store/sqlite/files/account-files.ts';
import { temporaryFolder } from '../temporary-folder.ts';

describe('the open files of accounts', () => {
  let folder: ReturnType<typeof temporaryFolder>;
  const ids = Array.from({ length: 4 }, () => newId('u'));
  const [first = '', second = '', third = '', fourth = ''] = ids;
  /** Accounts, each time that their file was opened. */
  let opened: string[] = [];
  let files: AccountFiles;

  function openFolder(limits?: OpenFileLimits): AccountFiles {
    const recordOf = (id: string) => {
      opened.push(id);
      return 'unmade' as const;
    };
    return new AccountFiles({ folder: folder.path, readOnly: false, recordOf, ...(limits && { limits }) });
  }
  const useAll = (...accounts: string[]): void => {
    for (const id of accounts) files.use(id);
  };

  beforeEach(() => {
    opened = [];
    folder = temporaryFolder();
    mkdirSync(folder.path);
  });
  afterEach(async () => {
    files.closeAll();
    await folder.remove();
  });

  it('are closed beyond a number, the least recently used first', () => {
    files = openFolder({ maxFiles: 2 });
    useAll(first, second, first, third);
    opened = [];
    useAll(first, third);
    expect(opened).toEqual([]);
    useAll(second);
    expect(opened).toEqual([second]);
  });

  it('are closed beyond a total size, except for a few', () => {
    files = openFolder({ maxFiles: 10, maxBytes: 1, minFiles: 2 });
    useAll(first, second, third);
    opened = [];
    useAll(third, second);
    expect(opened).toEqual([]);
    useAll(first);
    expect(opened).toEqual([first]);
  });

  it('are not reopened for another thread, unless their file was replaced', () => {
    files = openFolder({ maxFiles: 1 });
    files.prepare(first);
    useAll(second);
    opened = [];
    files.prepare(first);
    expect(opened).toEqual([]);

    const path = join(folder.path, `${first}.db`);
    copyFileSync(path, `${path}.other`);
    renameSync(`${path}.other`, path);
    files.prepare(first);
    expect(opened).toEqual([first]);
  });

  it('are checked again after they were closed for a reason', () => {
    files = openFolder({ maxFiles: 10 });
    useAll(first, second, third, fourth);
    opened = [];
    files.close(first);
    files.closeOthers(new Set([first, second, third]));
    files.prepare(first);
    files.prepare(second);
    files.prepare(fourth);
    expect(opened).toEqual([first, fourth]);
  });

  it('are not opened after the folder is closed', () => {
    files = openFolder();
    files.prepare(first);
    files.closeAll();
    expect(() => files.prepare(first)).toThrow('closed');
  });
});
