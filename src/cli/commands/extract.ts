import type { Command } from 'commander';
import { line, meta, prose } from '../../operations/answers/printed.ts';
import type { CommandContext, RunCommand } from '../context.ts';
import { passwordFlag, readPassword } from '../password.ts';
import { targetOf } from '../read-here.ts';

/** `extract`: shows what saving would store, and stores nothing. */
export function addExtractCommand(program: Command, run: RunCommand): void {
  program
    .command('extract')
    .description('Print the document that saving would store, and store nothing')
    .argument('<url|file>')
    .option('--url <address>', 'where a file came from: makes its links and its metadata right')
    .option(...passwordFlag)
    .action((target: string, options: ExtractOptions) => run((context) => extract(context, target, options)));
}

interface ExtractOptions {
  url?: string;
  password?: string;
}

async function extract(context: CommandContext, target: string, options: ExtractOptions): Promise<void> {
  const { place } = targetOf(target);
  const app = await context.open();
  const password = await readPassword(context, options.password);
  const extracted = await app.extract(place, options.url, context.signal, password);
  const { resource, document, transcript, mediaType, wordCount } = extracted;
  const shown = {
    url: resource.url,
    finalUrl: resource.finalUrl,
    mediaType,
    ...document,
    wordCount,
    transcript: transcript.text,
    blocks: transcript.blocks,
  };
  context.print(shown, () => [
    ...Object.entries(shown).flatMap(([name, value]) =>
      name !== 'transcript' && (typeof value === 'string' || typeof value === 'number')
        ? [line(meta(`${name}: `), String(value))]
        : [],
    ),
    ...document.warnings.map((warning) => line(meta('note: '), warning.message)),
    line(),
    prose(transcript.text),
  ]);
}
