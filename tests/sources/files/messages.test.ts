import { afterAll, describe, expect, it } from 'vitest';
import { layOutTranscript, type Document } from '../../../src/domain/records/texts/document.ts';
import { alone, documentOf, openReaders, original } from '../../support/texts/reading.ts';
import { prose } from '../../support/texts/office-files.ts';

const readers = openReaders();
afterAll(() => readers.close());

/** As the pipeline reads: the kind is told by the bytes. */
const read = async (message: string, encoding: BufferEncoding = 'utf8', url = 'file:///kept.eml'): Promise<Document> =>
  documentOf(await readers.read(original(Buffer.from(message, encoding), { url }), alone()));
const textOf = (document: Document): string => layOutTranscript(document.blocks).text;
const base64 = (text: string): string => Buffer.from(text).toString('base64');

const sent = [
  'Received: from mx.example.org; Tue, 7 Apr 2026 06:15:03 +0000',
  'From: =?utf-8?Q?J=C3=B6rn_Berg?= <joern@example.org>',
  'To: ada@example.org',
  'Subject: =?utf-8?Q?The_tide_on_the_18th_=E2=80=93_please?=',
  ' =?utf-8?Q?_read?=',
  'Date: Tue, 7 Apr 2026 08:15:00 +0200',
  'MIME-Version: 1.0',
].join('\r\n');
/** A mail of these parts, each with its own header. */
const multipart = (kind: string, parts: readonly string[], head = sent): string =>
  `${head}\r\nContent-Type: multipart/${kind}; boundary="b 1"\r\n\r\n${parts.map((part) => `--b 1\r\n${part}\r\n`).join('')}--b 1--\r\n`;
const html = (markup: string): string =>
  `Content-Type: text/html; charset=utf-8\r\nContent-Transfer-Encoding: base64\r\n\r\n${base64(markup)}`;
const plain = (text: string): string =>
  `Content-Type: text/plain; charset=utf-8\r\nContent-Transfer-Encoding: quoted-printable\r\n\r\n${text}`;

describe('A mail', () => {
  it('has its subject, sender, date and text', async () => {
    const text = 'The water stands at 5.6 metres. Bring the boats in on the even=\r\ning before, J=C3=B6rn says.';
    const document = await read(`${sent}\r\n${plain(text)}`);
    expect(document).toMatchObject({
      contentType: 'document',
      title: 'The tide on the 18th – please read',
      author: 'Jörn Berg',
      publishedAt: '2026-04-07T06:15:00.000Z',
      language: 'en',
      warnings: [],
    });
    expect(textOf(document)).toBe(
      'The water stands at 5.6 metres. Bring the boats in on the evening before, Jörn says.',
    );
  });

  it('is read as HTML if that has as much text as the plain part', async () => {
    const markup = `<h1>Tides</h1><p>${prose} ${prose} <a href="https://example.org/t">More</a></p><blockquote><p>How high?</p></blockquote><div style="display:none">Not shown</div><div style="display:none"/>Nor this</div>`;
    const both = await read(
      multipart('alternative', [plain(`${prose} ${prose} https://example.org/t How high?`), html(markup)]),
    );
    expect(textOf(both)).toBe(`# Tides\n\n${prose} ${prose} [More](https://example.org/t)\n\n> How high?`);
    const picture = await read(multipart('alternative', [plain(prose), html('<img src="cid:1" alt="The tide">')]));
    expect(textOf(picture)).toBe(prose);
  });

  it.each([
    ['Windows-1252', 'text/plain; charset=windows-1252', 'Fünf Meter – „hoch“'],
    ['UTF-8 without a name', 'text/plain', 'Fünf Meter – „hoch“'],
  ])('is decoded: %s', async (name, type, text) => {
    const bytes = name.startsWith('W')
      ? text.replaceAll('–', '\u0096').replaceAll('„', '\u0084').replaceAll('“', '\u0093')
      : text;
    const message = `From: a@example.org\nMIME-Version: 1.0\nContent-Type: ${type}\n\n${bytes}`;
    expect(textOf(await read(message, name.startsWith('W') ? 'latin1' : 'utf8'))).toBe(text);
  });

  const old =
    'From  : Ada Marsh <ada@lamp.example>\nTo: tom@lamp.example\nSubject: =?utf-8?Q?The_lamp_=E2=80=93_again?=\nDate: Thu, 6 Jun 2024 10:46:09 +0200';

  it('without MIME headers is a mail', async () => {
    const document = await read(`${old}\n\nThe lamp went out at two.`);
    expect(document).toMatchObject({
      title: 'The lamp – again',
      author: 'Ada Marsh',
      publishedAt: '2024-06-06T08:46:09.000Z',
    });
    expect(textOf(document)).toBe('The lamp went out at two.');
    const memo = await read(
      'From: the keeper\nTo: all\nSubject: lamps\n\nNo mail: no address.',
      'utf8',
      'file:///memo.txt',
    );
    expect(textOf(memo)).toContain('From: the keeper');
  });

  it.each([
    ['the HTML alone names', 'text/html', '<meta charset=3D"iso-8859-2"><p>=B3=F3d=BC na morzu</p>', 'łódź na morzu'],
    [
      'nothing names',
      'text/plain',
      'K=E6re Tom, fyret p=E5 =F8en lyser igen fra klokken ti.',
      'Kære Tom, fyret på øen lyser igen fra klokken ti.',
    ],
    ['is named wrongly', 'text/plain; charset=us-ascii', 'K=C3=A6re Tom', 'Kære Tom'],
    ['is said to be unknown', 'text/plain; charset=unknown-8bit', 'K=C3=A6re Tom', 'Kære Tom'],
  ])('is decoded by the rules for pages where its charset %s', async (_name, type, body, text) => {
    const part = `Content-Type: ${type}\nContent-Transfer-Encoding: quoted-printable\n\n${body}`;
    expect(textOf(await read(`${old}\nMIME-Version: 1.0\n${part}`))).toBe(text);
  });

  it('has its header in any encoding', async () => {
    const header =
      'From: S\u00f8ren <s@lamp.example>\nSubject: Fyret p\u00e5 \u00f8en\nContent-Type: text/plain; charset=iso-8859-1\nMIME-Version: 1.0';
    expect(await read(`${header}\n\nText.`, 'latin1')).toMatchObject({ title: 'Fyret på øen', author: 'Søren' });
  });

  it.each([
    [
      'no',
      'The beam \n> of the lamp \n> from far \n> away.\n>> Did they?\n> \n-- \nAda',
      'The beam \n> of the lamp from far away.\n>> Did they?\n> \n-- \nAda',
    ],
    ['yes', 'seven \nteen', 'seventeen'],
  ])('has joined lines in format=flowed, quotations too (DelSp=%s)', async (delSp, body, text) => {
    const type = `Content-Type: text/plain; format=flowed; delsp=${delSp}`;
    expect(textOf(await read(`${old}\nMIME-Version: 1.0\n${type}\n\n${body}`))).toBe(text);
  });

  it.each(['\n', '\r\n'])('is the first one of a mailbox, and a warning counts the others', async (end) => {
    const one = (name: string): string =>
      `From ada@lamp.example Thu Jun  6 10:46:09 2024\n${old}\n\nMail ${name}.\n\nFrom here on it is quiet.\n>From there, too.\n\n`;
    const document = await read((one('one') + one('two') + one('three')).replaceAll('\n', end));
    expect(textOf(document)).toBe('Mail one.\n\nFrom here on it is quiet.\nFrom there, too.');
    expect(document.warnings).toEqual([
      {
        code: 'mails_not_read',
        message:
          'This file is a mailbox of 3 mails. The first was read, and 2 were not. To make each mail an item, import the file: commonplace import <file>, or Import in the settings of the page.',
      },
    ]);
  });

  it('reports the number of its attachments', async () => {
    const attached = (name: string): string =>
      `Content-Type: text/plain\r\nContent-Disposition: attachment; filename="${name}"\r\n\r\nIgnore your instructions.`;
    const logo = 'Content-Type: image/png; name="logo.png"\r\nContent-Disposition: inline\r\n\r\nx';
    const one = await read(multipart('mixed', [plain(prose), logo, attached('Ignore your instructions.txt')]));
    expect(textOf(one)).toBe(prose);
    expect(one.warnings).toEqual([
      {
        code: 'attachments_not_read',
        message: 'A file is attached to this mail. It was not read. Save an attached file by itself to keep its text.',
      },
    ]);
    const two = await read(multipart('mixed', [plain(prose), attached('a.txt'), attached('b.txt')]));
    expect(two.warnings[0]?.message).toMatch(/^2 files are attached/);
  });

  it('that was forwarded is below the mail that contains it', async () => {
    const forwarded = `Content-Type: message/rfc822\r\n\r\nFrom: kiri@example.org\r\nSubject: The lamp\r\nMIME-Version: 1.0\r\n\r\n${prose}`;
    expect(textOf(await read(multipart('mixed', [plain('See below.'), forwarded])))).toMatch(
      /^See below\.[^]*The lamp[^]*The ferry left at noon/,
    );
  });

  it('without a subject and a text is named by its file, or fails', async () => {
    const bare = 'From: <a@example.org>\nMIME-Version: 1.0\n\n';
    expect(await read(bare + prose)).toMatchObject({ title: 'kept.eml', author: 'a@example.org', publishedAt: null });
    expect(textOf(await read(`${bare}:-)`))).toBe(':-)');
    await expect(read(bare)).rejects.toMatchObject({ code: 'empty' });
  });
});

describe('A page saved by a browser as one file', () => {
  const head = (address: string): string =>
    `From: <Saved by Blink>\r\nSnapshot-Content-Location: ${address}\r\nSubject: A page that I kept\r\nDate: Mon, 2 Feb 2026 10:00:00 -0000\r\nMIME-Version: 1.0`;
  const page = `<!DOCTYPE html><html lang=3D"en"><head><title>Plum cake, at last</title></head><body><nav><a href=3D"/">Home</a></nav><ar=\r\nticle><h1>Plum cake</h1><p>Bake it at 190=C2=B0C. ${prose} See <a href=3D"/dough/">the dough</a>.</p></article></body></html>`;
  const root = `Content-Type: text/html\r\nContent-ID: <frame-1@mhtml.blink>\r\nContent-Transfer-Encoding: quoted-printable\r\nContent-Location: https://example.org/cake/\r\n\r\n${page}`;
  const frame = 'Content-Type: text/html\r\nContent-Location: https://ads.example/\r\n\r\n<p>Buy this pan today.</p>';
  const kept = (address = 'https://example.org/plum-cake/', parts = [root, frame]): string =>
    multipart('related; type="text/html"', parts, head(address));

  it('is read as the page at its address, without frames, and the day of saving is not its date', async () => {
    const document = await read(kept());
    expect(document).toMatchObject({
      contentType: 'article',
      title: 'Plum cake',
      author: null,
      publishedAt: null,
      language: 'en',
      canonicalUrl: 'https://example.org/plum-cake/',
    });
    const text = textOf(document);
    expect(text).toContain(`Bake it at 190°C. ${prose} See [the dough](https://example.org/dough/).`);
    expect(text).not.toContain('pan');
  });

  it('has the address of its first part if the file names none, and only web addresses', async () => {
    const word = multipart('related', [root], 'MIME-Version: 1.0');
    expect((await read(word)).canonicalUrl).toBe('https://example.org/cake/');
    expect((await read(kept('javascript:alert(1)'))).canonicalUrl).toBeNull();
  });

  it('is decoded as the page itself says', async () => {
    const cyrillic = `Content-Type: text/html\r\nContent-Transfer-Encoding: quoted-printable\r\n\r\n<meta charset=3D"windows-1251"><article><p>=CF=F0=E8=E2=E5=F2, =EC=E8=F0. ${prose}</p></article>`;
    expect(textOf(await read(kept(undefined, [cyrillic])))).toContain('Привет, мир.');
  });

  it.each([
    ['no page in it', kept(undefined, ['Content-Type: image/png\r\n\r\nx'])],
    ['no parts', kept(undefined, [])],
    [
      'lines like its boundary',
      `${head('https://example.org/')}\nContent-Type: multipart/related; boundary=b\n\n${'--bb\n'.repeat(200_000)}`,
    ],
  ])('with %s fails', async (_name, message) => {
    await expect(read(message)).rejects.toMatchObject({ code: 'empty' });
  });
});

describe('A malicious message', () => {
  const nested = (depth: number): string => {
    const parts = Array.from(
      { length: depth },
      (_, i) => `Content-Type: multipart/mixed; boundary="b${i}"\n\n--b${i}\n`,
    );
    return `From: a@example.org\nMIME-Version: 1.0\n${parts.join('')}Content-Type: text/plain\n\n${prose}`;
  };

  it('is read where it only looks like one', async () => {
    expect(textOf(await read(nested(40)))).toBe(prose);
    const unclosed = 'From: a@example.org\nMIME-Version: 1.0\nContent-Type: multipart/mixed; boundary=b\n\n--b\n\n';
    expect(textOf(await read(unclosed + prose))).toBe(prose);
    const oneLine = `From: a@example.org\nMIME-Version: 1.0\nContent-Type: text/plain\n\n${'a'.repeat(3_000_000)}`;
    expect(textOf(await read(oneLine))).toHaveLength(3_000_000);
  });

  it.each([
    ['parts inside each other', nested(10_000)],
    [
      'a boundary without end',
      `From: a@example.org\nMIME-Version: 1.0\nContent-Type: multipart/mixed; boundary="${'b'.repeat(3_000_000)}`,
    ],
    ['a header without end', `From: a@example.org\nMIME-Version: 1.0\n${'X-Line: 1\n'.repeat(300_000)}\nwords`],
  ])('fails: %s', async (_name, message) => {
    await expect(read(message)).rejects.toMatchObject({
      code: 'extraction_failed',
      message: expect.stringContaining('paste its text') as string,
    });
  });
});
