/*
 * Places where a data folder gets damaged. A sync service copies a database and its log one after the other, and puts back
 * files of another machine while the program has them open. On network drives locks and shared memory of SQLite do not
 * work as on a disk (https://sqlite.org/useovernet.html).
 */

/** Names of folders that a sync service makes, in any case. The name may go on after a space or a hyphen. */
const namedFolders: readonly [service: string, names: readonly string[]][] = [
  ['iCloud Drive', ['mobile documents', 'iclouddrive', 'icloud drive']],
  ['Dropbox', ['dropbox']],
  ['OneDrive', ['onedrive']],
  ['Google Drive', ['google drive', 'googledrive', 'my drive', 'drivefs']],
  ['Nextcloud', ['nextcloud']],
  ['pCloud', ['pcloud', 'pclouddrive']],
  ['MEGA', ['megasync']],
];

/** Files that a sync service puts into the folder that it syncs. */
const markers: readonly [service: string, file: string][] = [
  ['Syncthing', '.stfolder'],
  ['Dropbox', '.dropbox.cache'],
  ['Nextcloud', '.nextcloudsync.log'],
  ['Resilio Sync', '.sync'],
  ['Seafile', '.seafile-data'],
];

/**
 * The sync service that a folder is in; null when none is known.
 * @param path absolute, without symbolic links
 * @param has whether a folder has a file
 */
export function syncServiceOf(path: string, has: (folder: string, file: string) => boolean): string | null {
  const separator = path.includes('\\') && !path.startsWith('/') ? '\\' : '/';
  const parts = path.split(separator);
  for (const [index, part] of parts.entries()) {
    const name = part.toLowerCase();
    const named = namedFolders.find(([, names]) =>
      names.some((known) => name === known || name.startsWith(`${known} `) || name.startsWith(`${known}-`)),
    );
    if (named !== undefined) return named[0];
    const folder = parts.slice(0, index + 1).join(separator);
    const marked = folder === '' ? undefined : markers.find(([, file]) => has(folder, file));
    if (marked !== undefined) return marked[0];
  }
  return null;
}

/** File systems over a network, by the magic numbers of Linux (`statfs(2)`). */
const networkFileSystems: ReadonlyMap<number, string> = new Map([
  [0x6969, 'NFS'],
  [0x517b, 'SMB'],
  [0xfe534d42, 'SMB'],
  [0xff534d42, 'SMB'],
  [0x5346414f, 'AFS'],
  [0x73757245, 'Coda'],
  [0x00c36400, 'Ceph'],
  [0x01021997, '9P'],
]);

/** The network file system that a folder is on; null when it is on none that is known. */
export function networkDriveOf(path: string, fileSystem: number | null, platform: string): string | null {
  // A path to a share of another machine.
  if (platform === 'win32' && path.startsWith('\\\\') && !path.startsWith('\\\\?\\') && !path.startsWith('\\\\.\\'))
    return 'SMB';
  return platform === 'linux' && fileSystem !== null ? (networkFileSystems.get(fileSystem) ?? null) : null;
}
