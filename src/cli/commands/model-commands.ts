import type { Command } from 'commander';
import { invalidInput } from '../../errors.ts';
import type { CommandContext, RunCommand } from '../context.ts';
import { createProgressBar } from '../call-locally.ts';

export function addModelCommands(program: Command, run: RunCommand): void {
  const model = program.command('model').description('Sentence models beside the one in the package');
  model
    .command('list')
    .description('List the available and the installed sentence models')
    .action(() => run(list));
  model
    .command('install')
    .description('Download a sentence model into the data folder; what was interrupted goes on')
    .argument('<name>')
    .option('--from <url>', 'a mirror of https://huggingface.co')
    .action((name: string, { from }: { from?: string }) => run((context) => install(context, name, from)));
  model
    .command('remove')
    .description('Remove an installed sentence model from the data folder')
    .argument('<name>')
    .action((name: string) => run((context) => remove(context, name)));
}

const megabytes = (bytes: number): string => `${Math.round(bytes / 1_000_000).toLocaleString('en')} MB`;

async function list(context: CommandContext): Promise<void> {
  const models = (await (await context.open()).models()).list();
  const used = context.config.embedder;
  context.print({ models, embedder: used }, () =>
    models
      .map(({ name, about, licence, downloadBytes, installed }) => {
        const state = installed ? 'installed' : `${megabytes(downloadBytes)} to download`;
        return `${name}  (${state}${name === used ? ', in use' : ''})\n    ${about}; ${licence}`;
      })
      .join('\n'),
  );
}

async function install(context: CommandContext, name: string, from?: string): Promise<void> {
  if (from !== undefined && !/^https?:$/.test(URL.parse(from)?.protocol ?? ''))
    throw invalidInput('--from takes an address such as https://mirror.example.org.');
  const models = await (await context.open()).models(from);
  const wasThere = models.list().some((model) => model.name === name && model.installed);
  const bar = createProgressBar(context.streams.stderr, context.json);
  try {
    const installed = await models.install(
      name,
      ({ step, done, total }) => {
        if (step === 'downloading') bar.update(Math.round(done / 1e6), Math.round(total / 1e6), 'MB downloaded');
        else bar.update(done, total, '‰ made ready for this machine');
      },
      context.signal,
    );
    bar.stop();
    context.print(installed, () => {
      const what = wasThere ? `${name} is installed already.` : `${name} is installed.`;
      const use = `Use it: commonplace config set embedder ${name}. What was saved is embedded again in the background.`;
      return context.config.embedder === name ? what : `${what} ${use}`;
    });
  } finally {
    bar.stop();
  }
}

async function remove(context: CommandContext, name: string): Promise<void> {
  await (await (await context.open()).models()).remove(name);
  const isUsed = context.config.embedder === name;
  context.print({ name, removed: true }, () =>
    isUsed
      ? `${name} is removed. The settings still name it: until embedder is another one, words alone are searched.`
      : `${name} is removed.`,
  );
}
