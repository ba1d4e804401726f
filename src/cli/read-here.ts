import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { AppError } from '../errors.ts';
import type { SavedItem } from '../services/library/library.ts';
import type { CommandApp, CommandContext } from './context.ts';

/** What a person names at the prompt to be saved. */
export interface Target {
  /** The path of a file of this machine, or a web address. */
  place: string;
  /** The address that it is saved under. */
  url: string;
  isFile: boolean;
}

/** @throws {AppError} `invalid_input` when it is no web address and no file that is there */
export function targetOf(text: string): Target {
  const isFileAddress = /^file:\/\//i.test(text);
  if (!isFileAddress && /^[a-z][a-z0-9+.-]*:\/\//i.test(text)) return { place: text, url: text, isFile: false };
  const path = isFileAddress ? pathOf(text) : resolve(text);
  if (path === null || !existsSync(path)) {
    throw new AppError(
      'invalid_input',
      `There is no file ${JSON.stringify(text)}. A web address begins with https://.`,
    );
  }
  return { place: path, url: pathToFileURL(path).href, isFile: true };
}

/** Of what is saved already, whether or not its file is still there. */
export function targetOfItem({ url }: { url: string }): Target {
  const path = url.startsWith('file:') ? pathOf(url) : null;
  return { place: path ?? url, url, isFile: path !== null };
}

/** Null for an address that no file of this machine can have: `file://server/share`, or one that is not encoded rightly. */
function pathOf(fileAddress: string): string | null {
  try {
    return fileURLToPath(fileAddress);
  } catch (error) {
    if (error instanceof TypeError || error instanceof URIError) return null;
    throw error;
  }
}

/**
 * Saves what is read here and now: a file, or what a password opens. Only the person at the machine can ask for that.
 * @param about tags and notes that the gate has let through
 */
export async function saveReadHere(
  context: CommandContext,
  app: CommandApp,
  { place, url }: Target,
  password: string | undefined,
  about: { tags?: readonly string[] | undefined; notes?: string | undefined } = {},
): Promise<SavedItem> {
  const resource =
    password === undefined
      ? { ...(await app.readFile(place)), url }
      : await app.unlock(place, url, password, context.signal);
  return app.services.library.saveResource(context.caller.accountId, resource, about, { signal: context.signal });
}
