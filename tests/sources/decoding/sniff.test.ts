import { gzipSync } from 'node:zlib';
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { decodeResource, sniffResource } from '../../../src/sources/decoding/sniff.ts';
import { runs } from '../../support/vitest/thorough.ts';

const bytes = (text: string, encoding: BufferEncoding = 'utf8'): Uint8Array =>
  new Uint8Array(Buffer.from(text, encoding));
const here = 'https://example.com/page';

describe('the type of a resource', () => {
  it.each([
    ['<!DOCTYPE html><p>x', null, here, 'text/html'],
    ['\n <!-- note -->\n<html lang="en"><p>x', 'text/plain', here, 'text/html'],
    ['<?xml version="1.0"?><!DOCTYPE html PUBLIC "-//W3C//DTD XHTML 1.0"><html><p>x', null, here, 'text/html'],
    ['<div>fragment</div>', null, here, 'text/html'],
    ['no tags at all', 'text/html; charset=utf-8', here, 'text/html'],
    ['just words', null, here, 'text/plain'],
    ['just words', 'application/octet-stream', here, 'text/plain'],
    ['a < b and b > c', null, here, 'text/plain'],
    ['# Title\n\nwords', 'text/plain', 'https://example.com/README.md', 'text/markdown'],
    ['<p align="center">logo</p>\n\n# Title', 'text/plain', 'https://example.com/README.md', 'text/markdown'],
    ['<!doctype html><p>not Markdown', null, 'https://example.com/README.md', 'text/html'],
    ['plain words', 'text/markdown', here, 'text/markdown'],
    ['# Title\n\nA [link](https://example.com) and\n\n```\ncode\n```', null, 'file:///notes.txt', 'text/markdown'],
    ['# a comment\nset -e\n# another\nrun', null, here, 'text/plain'],
    ['{"a": [1, 2]}', null, here, 'application/json'],
    ['{not json}', null, here, 'text/plain'],
    ['<?xml version="1.0"?><rss version="2.0"></rss>', 'text/html', here, 'application/rss+xml'],
    ['<feed xmlns="http://www.w3.org/2005/Atom"></feed>', null, here, 'application/atom+xml'],
    ['<?xml version="1.0"?><note/>', null, here, 'application/xml'],
    ['<svg xmlns="http://www.w3.org/2000/svg"></svg>', null, here, 'image/svg+xml'],
    ['WEBVTT\n\n00:00.000 --> 00:01.000\nHi', null, here, 'text/vtt'],
    ['BMW announced a car', null, here, 'text/plain'],
    ['a,b\n1,2', 'text/csv', here, 'text/csv'],
    ['words', 'text/x-<b>injected words</b>', here, 'text/plain'],
    ['From: a@b.c\r\nSubject: x\r\nMIME-Version: 1.0\r\n\r\nwords', 'text/plain', here, 'message/rfc822'],
    ['From a@b.c Tue Apr  7\nX-A:\n 1\nFROM: a\nContent-type: text/plain\n\nx', null, here, 'message/rfc822'],
    ['From: "Saved by UnMHT"\nMIME-Version: 1.0\nDate: x\n\nx', null, here, 'multipart/related'],
    ['MIME-Version: 1.0\nContent-Type: multipart/related; boundary=b\n\nx', null, here, 'multipart/related'],
    ['Subject: a note\nFrom: me\nDate: today\n\nNo message: it has no MIME.', null, here, 'text/plain'],
    ['MIME-Version: 1.0 is a field,\nand From: another', null, here, 'text/plain'],
    ['HTTP/1.1 200 OK\nMIME-Version: 1.0\nContent-Type: text/html\n\nx', null, here, 'text/plain'],
    ['', 'text/html', here, 'text/html'],
  ])('%j declared as %j is %s: %s', async (text, declared, url, mediaType) => {
    const sniffed = await sniffResource(bytes(text), declared, url);
    expect(sniffed).toEqual({ mediaType, charset: 'utf-8', text });
  });

  it.each([
    ['%PDF-1.7\n1 0 obj', 'application/pdf'],
    ['junk\u0000\n%PDF-1.7\n1 0 obj', 'application/pdf'],
    [`<p>${'mail '.repeat(500)}\r\n%PDF-1.7\n%\u0001\n1 0 obj`, 'application/pdf'],
    ['{\\rtf1 words}', 'application/rtf'],
    ['GIF89a\u0001\u0000\u0001\u0000', 'image/gif'],
    ['\u0089PNG\r\n\u001a\n\u0000\u0000\u0000\rIHDR', 'image/png'],
    ['fLaC\u0000\u0000\u0000\u0022', 'audio/flac'],
    ['\u0000\u0001\u0002 nothing that anybody knows', 'application/octet-stream'],
  ])('%j is binary: %s, whatever was declared', async (text, mediaType) => {
    expect(await sniffResource(bytes(text, 'latin1'), 'text/html', here)).toEqual({
      mediaType,
      charset: null,
      text: null,
    });
  });

  it('a page that mentions PDFs is a page, even if it is named .pdf', async () => {
    expect((await sniffResource(bytes('<p>It begins with %PDF-1.7</p>'), null, here)).mediaType).toBe('text/html');
    expect((await sniffResource(bytes('<html><p>x'), 'application/pdf', 'https://a.test/x.pdf')).mediaType).toBe(
      'text/html',
    );
  });

  it('a page with stray control characters is a page', async () => {
    expect((await sniffResource(bytes('<html><p>one\u0000two'), 'text/html', here)).mediaType).toBe('text/html');
  });

  it.each(['\u0000', '\u0001', '\u000b', '\u001a'])('text with a stray %j is text', async (control) => {
    const notes = `The ferry leaves at seven.\n${control}It comes back with the tide.\n`;
    for (const name of ['notes.txt', 'notes']) {
      const sniffed = await sniffResource(bytes(notes), null, `file:///home/ann/${name}`);
      expect(sniffed).toEqual({ mediaType: 'text/plain', charset: 'utf-8', text: notes });
    }
    const spanish = `El transbordador saldrá mañana a las siete.\n${control}${'Volverá según la marea, quizá más tarde. '.repeat(10)}`;
    expect(await sniffResource(bytes(spanish, 'latin1'), null, 'file:///notas.txt')).toMatchObject({ text: spanish });
  });

  it('compressed data is never text', async () => {
    await fc.assert(
      fc.asyncProperty(fc.uint8Array({ minLength: 200, maxLength: 2_000 }), async (noise) => {
        expect(await sniffResource(new Uint8Array(gzipSync(noise)), 'text/plain', here)).toEqual({
          mediaType: 'application/gzip',
          charset: null,
          text: null,
        });
      }),
      { numRuns: runs(50) },
    );
  });
});

describe('the encoding of a text', () => {
  const words = 'Übermäßig – naïve';
  const latin = Buffer.from('\u00dcberm\u00e4\u00dfig \u0096 na\u00efve', 'latin1');
  const marked = (encoding: 'utf16le' | 'utf16be', text: string): Uint8Array => {
    const little = Buffer.from(`\ufeff${text}`, 'utf16le');
    return new Uint8Array(encoding === 'utf16le' ? little : little.swap16());
  };
  const page = (meta: string, body: Buffer): Uint8Array =>
    new Uint8Array(Buffer.concat([Buffer.from(`<html><head>${meta}</head><p>`), body]));

  it.each([
    ['HTTP', latin, 'text/plain; charset=windows-1252', 'windows-1252'],
    ['HTTP in quotes', latin, 'text/plain; charset="ISO-8859-1"', 'windows-1252'],
    ['HTTP before strict UTF-8', Buffer.from('abc'), 'text/plain; charset=shift_jis', 'shift_jis'],
    ['an unknown name in HTTP is passed over', Buffer.from(words), 'text/plain; charset=nonsense', 'utf-8'],
    ['a mark', Buffer.from(`\ufeff${words}`), null, 'utf-8'],
    ['a mark against HTTP', Buffer.from(`\ufeff${words}`), 'text/plain; charset=windows-1252', 'utf-8'],
    ['a mark of UTF-16', marked('utf16le', words), null, 'utf-16le'],
    ['a mark of big-endian UTF-16', marked('utf16be', words), null, 'utf-16be'],
    ['UTF-16 by HTTP alone', Buffer.from(words, 'utf16le'), 'text/plain; charset=utf-16le', 'utf-16le'],
    ['strict UTF-8', Buffer.from(words), null, 'utf-8'],
    ['windows-1252 at last', latin, null, 'windows-1252'],
  ])('%s', async (_name, data, declared, charset) => {
    const sniffed = await sniffResource(new Uint8Array(data), declared, here);
    expect(sniffed.charset).toBe(charset);
    expect(sniffed.text).toBe(charset === 'shift_jis' ? 'abc' : words);
  });

  it.each([
    ['<meta charset="windows-1251">', Buffer.from([0xcf, 0xf0, 0xe8]), 'windows-1251', 'При'],
    ['<meta http-equiv="content-type" content="text/html; charset=koi8-r">', Buffer.from([0xf0]), 'koi8-r', 'П'],
    ['<!-- <meta charset="koi8-r"> --><meta charset=gbk>', Buffer.from([0xc4, 0xe3]), 'gbk', '你'],
    ['<meta charset="utf-16">', Buffer.from('ä'), 'utf-8', 'ä'],
    ['<meta charset="iso-2022-jp">', Buffer.from('\u001b$B$"\u001b(B', 'latin1'), 'iso-2022-jp', 'あ'],
    ['<meta charset="windows-1251">', Buffer.from('ä'), 'utf-8', 'ä'],
  ])('a page that says %s', async (meta, body, charset, text) => {
    const sniffed = await sniffResource(page(meta, body), 'text/html', here);
    expect(sniffed.charset).toBe(charset);
    expect(sniffed.text?.endsWith(text)).toBe(true);
  });

  it('a stored original is decoded as it was first', async () => {
    const data = page('<meta charset="windows-1251">', Buffer.from([0xcf, 0xf0, 0xe8]));
    const sniffed = await sniffResource(data, 'text/html', here);
    const original = { url: here, finalUrl: here, bytes: data, declaredType: 'text/html', fetchedAt: '' };
    expect(await decodeResource(original)).toEqual({ ...original, ...sniffed });
  });
});
