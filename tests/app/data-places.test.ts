import { expect, test } from 'vitest';
import { networkDriveOf, syncServiceOf } from '../../src/app/inspect-app.ts';

const none = () => false;

test.each([
  ['/Users/ada/Library/Mobile Documents/com~apple~CloudDocs/notes', 'iCloud Drive'],
  ['C:\\Users\\Ada\\iCloudDrive\\notes', 'iCloud Drive'],
  ['/home/ada/Dropbox/notes', 'Dropbox'],
  ['/Users/ada/Library/CloudStorage/Dropbox/notes', 'Dropbox'],
  ['/home/ada/Dropbox (Work)/notes', 'Dropbox'],
  ['C:\\Users\\Ada\\OneDrive - Example Ltd\\notes', 'OneDrive'],
  ['/Users/ada/Library/CloudStorage/OneDrive-Personal', 'OneDrive'],
  ['/Users/ada/Library/CloudStorage/GoogleDrive-ada@example.com/My Drive/notes', 'Google Drive'],
  ['G:\\My Drive\\notes', 'Google Drive'],
  ['/home/ada/Nextcloud/notes', 'Nextcloud'],
  ['/home/ada/.local/share/commonplace', null],
  ['/home/ada/dropboxes/notes', null],
  ['/home/ada/my notes about onedrive', null],
  ['C:\\Users\\Ada\\AppData\\Local\\Commonplace', null],
])('%s is in %s', (path, service) => {
  expect(syncServiceOf(path, none)).toBe(service);
});

test.each([
  ['.stfolder', '/home/ada/sync', 'Syncthing'],
  ['.dropbox.cache', '/home/ada', 'Dropbox'],
  ['.nextcloudsync.log', '/home/ada/sync/data', 'Nextcloud'],
])('%s in %s means %s', (file, folder, service) => {
  const has = (above: string, name: string) => above === folder && name === file;
  expect(syncServiceOf('/home/ada/sync/data', has)).toBe(service);
  expect(syncServiceOf('/home/bob/sync/data', has)).toBeNull();
});

test.each([
  ['/mnt/share', 0x6969, 'linux', 'NFS'],
  ['/mnt/share', 0xff534d42, 'linux', 'SMB'],
  ['/home/ada', 0xef53, 'linux', null],
  ['/home/ada', null, 'linux', null],
  ['/Users/ada', 0x6969, 'darwin', null],
  ['\\\\server\\share\\notes', null, 'win32', 'SMB'],
  ['\\\\?\\C:\\notes', null, 'win32', null],
  ['C:\\notes', null, 'win32', null],
])('%s with the file system %s on %s is on %s', (path, type, platform, drive) => {
  expect(networkDriveOf(path, type, platform)).toBe(drive);
});
