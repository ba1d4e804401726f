import type { Command } from 'commander';
import { AppError } from '../errors.ts';
import type { CommandApp } from './context.ts';

export interface PushedFiles {
  title?: string;
  textFile?: string;
  htmlFile?: string;
  captionsFile?: string;
}

export function addPushedFlags(command: Command): Command {
  return command
    .option('--title <title>', 'title of what one of the following files holds')
    .option('--text-file <file>', 'file with the text of the page: nothing is fetched')
    .option('--html-file <file>', 'file with its HTML, as a browser saves it')
    .option('--captions-file <file>', 'file with captions of the video: WebVTT, SRT or a copied transcript');
}

const flags = { text: 'textFile', html: 'htmlFile', captions: 'captionsFile' } as const;

/**
 * Reads the files that replace the content at an address, as `save_content` takes them.
 * @throws {AppError} `invalid_input` when a file holds no text
 * @throws {ProcessingError} when a file cannot be read
 */
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
      throw new AppError(
        'invalid_input',
        `${JSON.stringify(path)} holds no text. Save the file itself instead: commonplace save <file>`,
      );
    pushed[kind] = text;
  }
  return pushed;
}
