import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { posix } from 'node:path';
import { invalidInput } from '../../errors.ts';
import type { Config } from '../../settings/config.ts';
import type { ServerCommand } from '../setup/hosts.ts';
import { readConfigFile, replaceConfigFile } from '../setup/config-files/config-file.ts';
import { atHome, localAppData, type Machine, pathsOf, settingsFolder } from '../setup/machine.ts';

/** The name by which the extension starts this program (`clients/browser/src/connection.ts`). */
const hostName = 'commonplace';
/** The ids of the extension: `key` and `browser_specific_settings` in its manifest. */
const chromiumId = 'gcgopkikicdpnlffpdjpfemlhipomkon';
const firefoxId = 'browser@commonplace.invalid';

const brave = 'BraveSoftware/Brave-Browser';

/**
 * A browser for which the program can be registered, with its folder of profiles below the folder where programs keep their
 * settings. On Windows its key in the registry is called as the folder around that.
 */
export interface Browser {
  id: string;
  name: string;
  linux: string;
  darwin: string;
  win32: string;
}

/** https://developer.chrome.com/docs/extensions/develop/concepts/native-messaging#native-messaging-host-location */
export const browsers: readonly Browser[] = [
  { id: 'chrome', name: 'Chrome', linux: 'google-chrome', darwin: 'Google/Chrome', win32: 'Google/Chrome/User Data' },
  { id: 'chromium', name: 'Chromium', linux: 'chromium', darwin: 'Chromium', win32: 'Chromium/User Data' },
  { id: 'edge', name: 'Edge', linux: 'microsoft-edge', darwin: 'Microsoft Edge', win32: 'Microsoft/Edge/User Data' },
  { id: 'brave', name: 'Brave', linux: brave, darwin: brave, win32: `${brave}/User Data` },
  { id: 'firefox', name: 'Firefox', linux: '.mozilla', darwin: 'Mozilla', win32: 'Mozilla/Firefox' },
];
const isFirefox = ({ id }: Browser): boolean => id === 'firefox';

function folderOf(browser: Browser, machine: Machine): string {
  const { join } = pathsOf(machine);
  if (machine.platform === 'darwin') return join(settingsFolder(machine), browser.darwin);
  if (machine.platform === 'win32')
    return join(isFirefox(browser) ? settingsFolder(machine) : localAppData(machine), browser.win32);
  return isFirefox(browser) ? atHome(machine, browser.linux) : join(settingsFolder(machine), browser.linux);
}

/** Whether somebody on this machine has started it once. */
export function isBrowserHere(browser: Browser, machine: Machine): boolean {
  return existsSync(folderOf(browser, machine));
}

/** The file that tells the browser of the program. Windows finds it by the registry, wherever it is. */
export function manifestPath(browser: Browser, machine: Machine, { data }: Pick<Config, 'data'>): string {
  const { join } = pathsOf(machine);
  if (machine.platform === 'win32') return join(data, `browser-host-${browser.id}.json`);
  const folder =
    !isFirefox(browser) || machine.platform === 'darwin' ? 'NativeMessagingHosts' : 'native-messaging-hosts';
  return join(folderOf(browser, machine), folder, `${hostName}.json`);
}

/** Browsers start a native messaging host without our arguments, so a script adds them. */
export function scriptPath(machine: Machine, { data }: Pick<Config, 'data'>): string {
  return pathsOf(machine).join(data, machine.platform === 'win32' ? 'browser-host.bat' : 'browser-host');
}

function scriptText({ command, args }: ServerCommand, machine: Machine): string {
  if (machine.platform === 'win32')
    return `@echo off\r\n${[command, ...args].map((word) => `"${word}"`).join(' ')}\r\n`;
  const words = [command, ...args].map((word) => `'${word.replaceAll("'", String.raw`'\''`)}'`);
  return `#!/bin/sh\nexec ${words.join(' ')}\n`;
}

export interface BrowserChange {
  browser: Browser;
  path: string;
  before: string | null;
  /** Null: nothing changes; '': the file is removed. */
  after: string | null;
}

export function planBrowser(browser: Browser, machine: Machine, config: Config, isRemoval: boolean): BrowserChange {
  const path = manifestPath(browser, machine, config);
  const before = readConfigFile(path);
  const manifest = {
    name: hostName,
    description: 'Saves pages to Commonplace',
    path: scriptPath(machine, config),
    type: 'stdio',
    ...(isFirefox(browser)
      ? { allowed_extensions: [firefoxId] }
      : { allowed_origins: [`chrome-extension://${chromiumId}/`] }),
  };
  const wanted = isRemoval ? '' : `${JSON.stringify(manifest, null, 2)}\n`;
  return { browser, path, before, after: wanted === (before ?? '') ? null : wanted };
}

/** Writes the script that browsers start, or removes it without `server`. @throws {AppError} `invalid_input` when it cannot be written */
export function writeScript(server: ServerCommand | null, machine: Machine, config: Pick<Config, 'data'>): void {
  const path = scriptPath(machine, config);
  try {
    // Remove the file first: writing to an existing one would keep its mode.
    rmSync(path, { force: true });
    if (server === null) return;
    mkdirSync(config.data, { recursive: true });
    writeFileSync(path, scriptText(server, machine), { mode: 0o755 });
  } catch (error) {
    throw invalidInput(`${path} cannot be written: check its permissions.`, { cause: error });
  }
}

/** @throws {AppError} `invalid_input` when it cannot be written */
export function applyBrowser(
  { browser, path, before, after }: BrowserChange,
  machine: Machine,
  isRemoval: boolean,
): void {
  if (after === '') rmSync(path, { force: true });
  else if (after !== null) replaceConfigFile(path, before, after, false);
  if (machine.platform !== 'win32') return;
  const key = registryKey(browser);
  if (isRemoval && !hasKey(key)) return;
  const words = isRemoval ? ['delete', key, '/f'] : ['add', key, '/ve', '/t', 'REG_SZ', '/d', path, '/f'];
  try {
    askRegistry(words);
  } catch (error) {
    throw invalidInput(`The Windows registry did not accept ${key}.`, { cause: error });
  }
}

/** Whether the browser finds what a plan to register it would write. */
export function isRegistered({ browser, after }: BrowserChange, machine: Machine): boolean {
  return after === null && (machine.platform !== 'win32' || hasKey(registryKey(browser)));
}

function registryKey({ win32 }: Browser): string {
  return ['HKCU/Software', posix.dirname(win32), 'NativeMessagingHosts', hostName].join('/').replaceAll('/', '\\');
}

function hasKey(key: string): boolean {
  try {
    askRegistry(['query', key]);
    return true;
  } catch {
    return false;
  }
}

function askRegistry(words: readonly string[]): void {
  execFileSync('reg.exe', words, { stdio: 'ignore', windowsHide: true });
}
