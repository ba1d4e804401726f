import type { Writable } from 'node:stream';
import type { Command } from 'commander';
import { z } from 'zod';
import type { Permission } from '../../domain/access/permission.ts';
import { LargeValue } from '../../domain/json/large-value.ts';
import type { Caller } from '../../domain/records/account.ts';
import { newChange } from '../../domain/records/change.ts';
import { notes, tags, shelf } from '../../domain/records/content.ts';
import { AppError, invalidInput, isAbortError, notFound } from '../../errors.ts';
import { reserveStdout } from '../../mcp/stdio-transport.ts';
import { callOperation, parseInput } from '../../operations/call.ts';
import { lookUpPage } from '../../operations/capture.ts';
import { saveContent } from '../../operations/content/save-content.ts';
import { addHighlight } from '../../operations/highlights.ts';
import { messageBytes, readMessages } from '../browser/native-messages.ts';
import type { CommandApp, CommandContext, RunCommand } from '../context.ts';
import { openLibrary, startWork } from './stdio.ts';

/** The permissions of an extension's key on a remote server. */
const permissions: ReadonlySet<Permission> = new Set(['content:write', 'capture:read']);
const operations = new Map([lookUpPage, saveContent, addHighlight].map((one) => [one.name, one]));

const message = z.object({ id: z.number(), call: z.string().max(100), input: z.record(z.string(), z.unknown()) });
const aboutPdf = z.strictObject({
  url: z.url({ protocol: /^https?$/ }).max(2_048),
  title: z.string().max(1_000).optional(),
  tags: tags.optional(),
  notes: notes.optional(),
  shelf: shelf.optional(),
});

export function addBrowserHostCommand(program: Command, run: RunCommand): void {
  program
    .command('browser-host')
    .description('Serve the browser extension over stdin and stdout; the browser starts it')
    // Browsers name the extension that asks. Their registration lets no other one ask.
    .argument('[extension...]', 'given by the browser')
    .action(() => run(serveBrowser));
}

async function serveBrowser(context: CommandContext): Promise<void> {
  const { streams, signal, version } = context;
  const output = reserveStdout(streams, () => undefined);
  const gone = new AbortController();
  for (const event of ['close', 'error'] as const) output.once(event, () => gone.abort());
  const ending = AbortSignal.any([signal, gone.signal]);
  ending.addEventListener('abort', () => streams.stdin.destroy(), { once: true });
  const app = await openLibrary(context);
  const answering = startWork(context, app);
  const caller: Caller = { ...context.caller, name: 'browser', permissions };
  try {
    for await (const body of readMessages(streams.stdin)) {
      // Read before its fields are checked: an answer needs the id.
      const said = await app.requests.parse(body, { kind: 'input', names: ['content'] });
      const { id, call, input } = parseInput(message, 'browser-host', said);
      const content = (said as { content?: unknown }).content;
      const answer = await answerTo(call, { input, content }, { app, caller, version, signal: ending });
      await send(output, { id, ...answer });
    }
  } catch (error) {
    if (!ending.aborted && !isAbortError(error)) throw error;
  } finally {
    await (
      await answering
    )?.();
  }
}

interface Asked {
  input: Record<string, unknown>;
  /** The HTML of a page, or a PDF in base64. */
  content: unknown;
}

interface HostParts {
  app: CommandApp;
  caller: Caller;
  version: string;
  signal: AbortSignal;
}

async function answerTo(call: string, { input, content }: Asked, parts: HostParts): Promise<object> {
  const { app, caller, version, signal } = parts;
  try {
    if (call === 'hello') return { answer: { version } };
    if (call === 'save_pdf') return { answer: await savePdf(input, content, parts) };
    const operation = operations.get(call);
    if (operation === undefined) throw notFound(`This version has no "${call}". Update Commonplace.`);
    const whole = content === undefined ? input : { ...input, html: content };
    return { answer: await callOperation(operation, 'rest', whole, caller, { ...app.services, signal }) };
  } catch (error) {
    if (error instanceof AppError) return { problem: { code: error.code, message: error.message } };
    app.log.error({ err: error }, 'a call of the browser extension failed');
    return { problem: { code: 'internal', message: 'Something went wrong inside Commonplace.' } };
  }
}

/** A PDF open in the person's browser: the site may not give it to anyone else. */
async function savePdf(input: object, content: unknown, { app, caller, signal }: HostParts): Promise<object> {
  const { url, title, ...given } = parseInput(aboutPdf, 'save_pdf', input);
  const text = content instanceof LargeValue ? Buffer.from(content.json).toString('latin1').slice(1, -1) : content;
  const bytes = Buffer.from(typeof text === 'string' ? text : '', 'base64');
  if (bytes.length === 0) throw invalidInput('The PDF is empty. Save it by its address.');
  const change = newChange({ face: 'rest', by: 'browser', operation: saveContent.name, scopes: ['content:write'] });
  const resource = {
    url,
    finalUrl: url,
    bytes,
    declaredType: 'application/pdf',
    fetchedAt: new Date().toISOString(),
  };
  const known = title === undefined ? {} : { known: { title } };
  const author = { account: caller.accountId, change };
  const { id, status, outcome } = await app.services.library.saveResource(
    author,
    resource,
    { ...given, ...known },
    { signal },
  );
  return { id, status, outcome };
}

/** Waits until the browser has taken it. */
function send(output: Writable, answer: { id: number }): Promise<void> {
  const tooLong = { id: answer.id, problem: { code: 'payload_too_large', message: 'The answer is too long.' } };
  const bytes = messageBytes(answer) ?? messageBytes(tooLong);
  return new Promise((resolve, reject) => {
    output.write(bytes, (error) => (error ? reject(error) : resolve()));
  });
}
