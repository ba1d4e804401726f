import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { AppError } from '../../errors.ts';
import type { Config } from '../../settings/config.ts';
import type { ServerCommand } from '../setup/assistant-host.ts';
import { readConfigFile, replaceConfigFile } from '../setup/config-files/config-file.ts';
import { atHome, localAppData, type Machine, pathsOf, settingsFolder } from '../setup/machine.ts';

/** What the extension calls this program (`clients/browser/src/connection.ts`). */
const hostName = 'commonplace';
/** The ids of the extension: `key` and `browser_specific_settings` in its manifest. */
const chromiumId = 'gcgopkikicdpnlffpdjpfemlhipomkon';
const firefoxId = 'browser@commonplace.invalid';

/** A browser for which the program can be registered, so that the extension reaches the library on this machine. */
export interface Browser {
  id: string;
  name: string;
  isFirefox?: true;
  /** Its folder of profiles, by platform, below the folder where programs keep their settings. */
  linux: readonly string[];
  darwin: readonly string[];
  win32: readonly string[];
  /** Its key in the registry of Windows. */
  registry: string;
}

/** https://developer.chrome.com/docs/extensions/develop/concepts/native-messaging#native-messaging-host-location */
export const browsers: readonly Browser[] = [
  chromium('chrome', 'Chrome', ['google-chrome'], ['Google', 'Chrome'], String.raw`Google\Chrome`),
  chromium('chromium', 'Chromium', ['chromium'], ['Chromium'], 'Chromium'),
  chromium('edge', 'Edge', ['microsoft-edge'], ['Microsoft Edge'], String.raw`Microsoft\Edge`, ['Microsoft', 'Edge']),
  chromium(
    'brave',
    'Brave',
    ['BraveSoftware', 'Brave-Browser'],
    ['BraveSoftware', 'Brave-Browser'],
    String.raw`BraveSoftware\Brave-Browser`,
  ),
  {
    id: 'firefox',
    name: 'Firefox',
    isFirefox: true,
    linux: ['.mozilla'],
    darwin: ['Mozilla'],
    win32: ['Mozilla', 'Firefox'],
    registry: 'Mozilla',
  },
];

function chromium(
  id: string,
  name: string,
  linux: readonly string[],
  darwin: readonly string[],
  registry: string,
  win32 = darwin,
): Browser {
  return { id, name, linux, darwin, win32: [...win32, 'User Data'], registry };
}

function folderOf(browser: Browser, machine: Machine): string {
  const { join } = pathsOf(machine);
  if (machine.platform === 'win32')
    return join(browser.isFirefox ? settingsFolder(machine) : localAppData(machine), ...browser.win32);
  if (machine.platform === 'darwin') return join(settingsFolder(machine), ...browser.darwin);
  return browser.isFirefox ? atHome(machine, ...browser.linux) : join(settingsFolder(machine), ...browser.linux);
}

/** Whether somebody on this machine has started it once. */
export function isBrowserHere(browser: Browser, machine: Machine): boolean {
  return existsSync(folderOf(browser, machine));
}

/** The file that tells the browser of the program. Windows finds it by the registry, wherever it is. */
export function manifestPath(browser: Browser, machine: Machine, { data }: Pick<Config, 'data'>): string {
  const { join } = pathsOf(machine);
  if (machine.platform === 'win32')
    return join(data, `browser-host-${browser.isFirefox ? 'firefox' : 'chromium'}.json`);
  const folder =
    !browser.isFirefox || machine.platform === 'darwin' ? 'NativeMessagingHosts' : 'native-messaging-hosts';
  return join(folderOf(browser, machine), folder, `${hostName}.json`);
}

/** Browsers start a program without arguments of ours, so a script has them. */
export function scriptPath(machine: Machine, { data }: Pick<Config, 'data'>): string {
  return pathsOf(machine).join(data, machine.platform === 'win32' ? 'browser-host.bat' : 'browser-host');
}

function scriptText({ command, args }: ServerCommand, machine: Machine): string {
  if (machine.platform === 'win32')
    return `@echo off\r\n${[command, ...args].map((word) => `"${word}"`).join(' ')}\r\n`;
  const words = [command, ...args].map((word) => `'${word.replaceAll("'", String.raw`'\''`)}'`);
  return `#!/bin/sh\nexec ${words.join(' ')}\n`;
}

/** What changes for one browser. */
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
    ...(browser.isFirefox
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
    // The mode of a file that is there would stay.
    rmSync(path, { force: true });
    if (server === null) return;
    mkdirSync(config.data, { recursive: true });
    writeFileSync(path, scriptText(server, machine), { mode: 0o755 });
  } catch (error) {
    throw new AppError('invalid_input', `${path} cannot be written: check its permissions.`, { cause: error });
  }
}

/** @throws {AppError} `invalid_input` when it cannot be written */
export function applyBrowser(change: BrowserChange, machine: Machine): void {
  const { browser, path, before, after } = change;
  if (after === '') rmSync(path, { force: true });
  else if (after !== null) replaceConfigFile(path, before, after, false);
  if (machine.platform !== 'win32') return;
  const key = ['HKCU', 'Software', browser.registry, 'NativeMessagingHosts', hostName].join('\\');
  const words = after === '' ? ['delete', key, '/f'] : ['add', key, '/ve', '/t', 'REG_SZ', '/d', path, '/f'];
  try {
    execFileSync('reg.exe', words, { stdio: 'ignore', windowsHide: true });
  } catch (error) {
    throw new AppError('invalid_input', `The registry of Windows did not take ${key}.`, { cause: error });
  }
}
