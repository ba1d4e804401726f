import { deflateSync } from 'node:zlib';
import { readFileSync } from 'node:fs';
import { afterAll, describe, expect, it } from 'vitest';
import type { Document } from '../../../src/domain/records/texts/document.ts';
import type { Readers } from '../../../src/sources/host/readers.ts';
import { readingLimits } from '../../../src/sources/host/reader-process.ts';
import { alone, documentOf, openReaders, original } from '../../support/texts/reading.ts';
import { until } from '../../support/vitest/workers.ts';
import { column, makePdf, rawPdf } from '../../support/texts/pdf.ts';

const opened: Readers[] = [];
afterAll(() => Promise.all(opened.map((one) => one.close())));

interface Processes {
  read(bytes: Uint8Array, signal: AbortSignal): Promise<Document>;
  close(): Promise<void>;
}

/** One process, which reads what it is given as the pipeline gives it. */
function open(settings: Parameters<typeof openReaders>[0] = {}): Processes {
  // On a busy machine a good file, too, goes on for long without a finished page.
  const readers = openReaders({ silenceMs: 600_000, ...settings });
  opened.push(readers);
  return {
    read: async (bytes, signal) =>
      documentOf(await readers.read(original(bytes, { url: 'file:///a.pdf' }), alone({ signal }))),
    close: () => readers.close(),
  };
}

const never = new AbortController().signal;
const good = await makePdf([column(['A plain page that anybody can read.'], 72, 100)]);

/** A page whose content is `content`, with a form `X` beside it. */
function page(content: string, form: string[] = [], filter = ''): Uint8Array {
  return rawPdf([
    '<</Type/Catalog/Pages 2 0 R>>',
    '<</Type/Pages/Kids[3 0 R]/Count 1>>',
    '<</Type/Page/Parent 2 0 R/MediaBox[0 0 400 400]/Contents 4 0 R/Resources<</Font<</F1 5 0 R>>/XObject<</X 6 0 R>>>>>>',
    `<</Length ${content.length}${filter}>>\nstream\n${content}\nendstream`,
    '<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>',
    ...form,
  ]);
}

/** Forms that each draw the next one ten times: 10¹² texts from two kilobytes. */
function unfolding(): Uint8Array {
  const forms = Array.from({ length: 12 }, (_, i) => {
    const content = i === 11 ? 'BT /F1 12 Tf (again) Tj ET' : '/X Do '.repeat(10);
    const resources = i === 11 ? '/Font<</F1 5 0 R>>' : `/XObject<</X ${7 + i} 0 R>>`;
    return `<</Type/XObject/Subtype/Form/BBox[0 0 9 9]/Resources<<${resources}>>/Length ${content.length}>>\nstream\n${content}\nendstream`;
  });
  return page('/X Do', forms);
}

/** 200 MB of spaces, packed twice. */
function packed(): Uint8Array {
  const inner = deflateSync(Buffer.alloc(200_000_000, 0x20));
  return page(deflateSync(inner).toString('latin1'), [], '/Filter[/FlateDecode/FlateDecode]');
}

describe('A file that harms its reader', () => {
  it('is given up when no page is finished in time, and the next one is read', async () => {
    // With recognition on, too: it has no picture on which text could be recognised.
    const processes = open({ silenceMs: 1_500, perPageMs: 3_600_000, maxTotalMs: 3_600_000, ocr: true });
    const bad = processes.read(unfolding(), never);
    const next = processes.read(good, never);
    await expect(bad).rejects.toMatchObject({ name: 'ProcessingError', code: 'extraction_timeout' });
    expect((await next).blocks.map(({ text }) => text)).toEqual(['A plain page that anybody can read.']);
  });

  it('is given up after its timeout, which grows with the pages', async () => {
    const processes = open({ silenceMs: 60_000, baseMs: 300, perPageMs: 10 });
    await expect(processes.read(unfolding(), never)).rejects.toMatchObject({ code: 'extraction_timeout' });
  });

  it('is given up when it uses too much memory', async () => {
    const processes = open({ maxBytes: 200 * 1024 ** 2 });
    await expect(processes.read(packed(), never)).rejects.toMatchObject({
      code: 'extraction_failed',
      message: expect.stringContaining('memory') as string,
    });
  });

  it('with drawing cycles or deep nesting is read as far as possible', async () => {
    const circle = page('BT /F1 12 Tf (Once) Tj ET /X Do', [
      '<</Type/XObject/Subtype/Form/BBox[0 0 9 9]/Resources<</XObject<</X 6 0 R>>>>/Length 5>>\nstream\n/X Do\nendstream',
    ]);
    const nested = page(`${'['.repeat(50_000)}${']'.repeat(50_000)} BT /F1 12 Tf (Deep) Tj ET`);
    const processes = open();
    expect((await processes.read(circle, never)).blocks.map(({ text }) => text)).toEqual(['Once']);
    await processes.read(nested, never).then(
      (document) => expect(document.pageCount).toBe(1),
      (error: unknown) => expect(error).toMatchObject({ name: 'ProcessingError' }),
    );
  });
});

describe('File processes', () => {
  it('end with a cancelled file, whose caller gets the reason at once, and the next file gets a new one', async () => {
    const processes = open();
    const stop = new AbortController();
    const before = children().length;
    const reading = processes.read(unfolding(), stop.signal);
    const waiting = processes.read(good, never);
    await until(() => children().length > before);
    stop.abort(new Error('enough'));
    await expect(reading).rejects.toThrow('enough');
    expect((await waiting).pageCount).toBe(1);
    await expect(processes.read(good, AbortSignal.abort())).rejects.toThrow('aborted');
  });

  it('killed from outside fail the current file with a reason', async () => {
    const processes = open();
    const before = children();
    const reading = processes.read(unfolding(), never);
    const [pid] = children().filter((one) => !before.includes(one));
    process.kill(pid!, 'SIGKILL');
    await expect(reading).rejects.toMatchObject({ name: 'ProcessingError', code: 'extraction_failed' });
  });

  it('take large files and return long texts in pieces', async () => {
    const line = 'Some more words of a text that is long. '.repeat(2);
    const content = `BT /F1 1 Tf 1 TL 40 790 Td ${`(${line}) ' `.repeat(700)}ET`;
    const numbers = [5, 6, 7, 8, 9, 10];
    const made = rawPdf([
      '<</Type/Catalog/Pages 2 0 R>>',
      `<</Type/Pages/Kids[${numbers.map((number) => `${number} 0 R`).join(' ')}]/Count ${numbers.length}>>`,
      '<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>',
      `<</Length ${content.length}>>\nstream\n${content}\nendstream`,
      ...numbers.map(
        () => '<</Type/Page/Parent 2 0 R/MediaBox[0 0 600 800]/Resources<</Font<</F1 3 0 R>>>>/Contents 4 0 R>>',
      ),
    ]);
    const bytes = new Uint8Array(made.length + 30_000_000);
    bytes.set(made);
    const document = await open().read(bytes, never);
    expect(document.pageCount).toBe(6);
    expect(document.blocks.reduce((sum, { text }) => sum + text.length, 0)).toBeGreaterThan(6 * 700 * 70);
  });

  it('exit when idle, and on closing together with their work', async () => {
    const processes = open({ idleMs: 1 });
    const before = children();
    await processes.read(good, never);
    await expect.poll(() => children().filter((one) => !before.includes(one))).toEqual([]);
    const reading = processes.read(unfolding(), never);
    const closing = processes.close();
    await expect(reading).rejects.toMatchObject({ code: 'interrupted', retryable: true });
    await closing;
    await expect(processes.read(good, never)).rejects.toMatchObject({ code: 'interrupted' });
  });
});

it('Only pages whose text is recognised get more time', () => {
  const times = { silenceMs: 8_000, baseMs: 30_000, perPageMs: 1_000, maxTotalMs: 120_000 };
  expect(readingLimits(times, 0, 0)).toEqual({ silenceMs: 8_000, totalMs: 30_000 });
  expect(readingLimits(times, 50, 0)).toEqual({ silenceMs: 8_000, totalMs: 80_000 });
  expect(readingLimits(times, 50, 2)).toEqual({ silenceMs: 64_000, totalMs: 94_000 });
  // However many pages there are.
  expect(readingLimits(times, 90, 0).totalMs).toBe(120_000);
  expect(readingLimits(times, 1_000_000, 0).totalMs).toBe(120_000);
  expect(readingLimits(times, 1_000_000, 1_000_000).totalMs).toBe(600_000);
});

/** Processes that this one started. */
function children(): number[] {
  return readFileSync(`/proc/${process.pid}/task/${process.pid}/children`, 'utf8')
    .trim()
    .split(' ')
    .filter(Boolean)
    .map(Number);
}
