import { commandChange } from './call-locally.ts';
import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { invalidInput } from '../errors.ts';
import type { SavedItem, SaveRequest } from '../services/library/saving.ts';
import type { CommandApp, CommandContext } from './context.ts';
import type { Command } from 'commander';

export interface Target {
  /** The path of a local file, or a web address. */
  place: string;
  /** The address under which it is saved. */
  url: string;
  isFile: boolean;
}

/** @throws {AppError} `invalid_input` when the text is neither a web address nor an existing file */
export function targetOf(text: string): Target {
  const isFileAddress = /^file:\/\//i.test(text);
  if (!isFileAddress && /^[a-z][a-z0-9+.-]*:\/\//i.test(text)) return { place: text, url: text, isFile: false };
  const path = isFileAddress ? pathOf(text) : resolve(text);
  if (path === null || !existsSync(path)) {
    throw invalidInput(`There is no file ${JSON.stringify(text)}. A web address begins with https://.`);
  }
  return { place: path, url: pathToFileURL(path).href, isFile: true };
}

/** The target of an item that is already saved, whether or not its file still exists. */
export function targetOfItem({ url }: { url: string }): Target {
  const path = url.startsWith('file:') ? pathOf(url) : null;
  return { place: path ?? url, url, isFile: path !== null };
}

/** The path of a `file:` address; null when no local file can have it: `file://server/share`, or invalid encoding. */
function pathOf(fileAddress: string): string | null {
  try {
    return fileURLToPath(fileAddress);
  } catch (error) {
    if (error instanceof TypeError || error instanceof URIError) return null;
    throw error;
  }
}

/** Only the command line reads local files and unlocks sources. @param about already validated */
export async function saveReadHere(
  context: CommandContext,
  app: CommandApp,
  { place, url }: Target,
  password: string | undefined,
  about: Pick<SaveRequest, 'tags' | 'notes' | 'shelf'> = {},
): Promise<SavedItem> {
  const resource =
    password === undefined
      ? { ...(await app.readFile(place)), url }
      : await app.unlock(place, url, password, context.signal);
  const author = commandChange(context, 'save_content');
  const saved = await app.services.library.saveResource(author, resource, about, { signal: context.signal });
  return author.change.isRecorded ? { ...saved, undo: author.change.id } : saved;
}

export interface PushedFiles {
  title?: string;
  textFile?: string;
  htmlFile?: string;
  captionsFile?: string;
}

export function addPushedFlags(command: Command): Command {
  return command
    .option('--title <title>', 'title for the content of one of the following files')
    .option('--text-file <file>', 'file with the text of the page: nothing is fetched')
    .option('--html-file <file>', 'file with its HTML, as a browser saves it')
    .option('--captions-file <file>', 'file with captions of the video: WebVTT, SRT or a copied transcript');
}

const flags = { text: 'textFile', html: 'htmlFile', captions: 'captionsFile' } as const;

/** @throws {AppError} `invalid_input` when a file holds no text, {ProcessingError} when it cannot be read */
export async function readPushedFiles(
  app: Pick<CommandApp, 'readText'>,
  options: PushedFiles,
  signal: AbortSignal,
): Promise<{ title?: string; text?: string; html?: string; captions?: string }> {
  const pushed: { title?: string; text?: string; html?: string; captions?: string } = {};
  if (options.title !== undefined) pushed.title = options.title;
  for (const kind of ['text', 'html', 'captions'] as const) {
    const path = options[flags[kind]];
    if (path === undefined) continue;
    const text = await app.readText(path, signal);
    if (text === null)
      throw invalidInput(
        `${JSON.stringify(path)} holds no text. Save the file itself instead: commonplace save <file>`,
      );
    pushed[kind] = text;
  }
  return pushed;
}
