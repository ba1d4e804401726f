import { hostileStrings } from '../../../support/texts/hostile-strings.ts';
import type { PagePayload } from './payload.ts';

const megabyte = 1024 * 1024;

const page = (name: string, body: () => string | Uint8Array, rest: Partial<PagePayload> = {}): PagePayload => ({
  kind: 'page',
  name,
  body,
  type: 'text/html; charset=utf-8',
  ...rest,
});

const article = (text: string): string =>
  `<!doctype html><html lang="en"><head><title>A page</title></head><body><article><h1>A page</h1><p>${text}</p></article></body></html>`;
const repeated = (unit: string, length: number): string => unit.repeat(Math.ceil(length / unit.length));
const latin1 = (text: string): Uint8Array => Buffer.from(text, 'latin1');

/** Bytes that follow no pattern, the same in every run. */
function noise(length: number, low = 0x80, high = 0xff): Uint8Array {
  let state = 1;
  return Uint8Array.from({ length }, () => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 0;
    return low + ((state >>> 16) % (high - low + 1));
  });
}

const keptMark = '{"commonplaceDocument":1,';
const keptType = 'application/vnd.commonplace.document+json';
const pushedType = 'application/vnd.commonplace.pushed+json';

const claims: PagePayload[] = [
  page(
    'our own kept document, a million blocks, gzip',
    () => `${keptMark}"blocks":[${repeated('{},', 3 * megabyte)}{}]}`,
    {
      type: keptType,
      encoding: 'gzip',
    },
  ),
  page(
    'our own kept document without its type',
    () => `${keptMark}"document":{"blocks":[${repeated('{},', 3 * megabyte)}{}]}}`,
    {
      type: 'text/plain',
      encoding: 'gzip',
      isSlow: true,
    },
  ),
  page(
    'our own pushed type with captions',
    () => `{"title":null,"captions":[${repeated('{"start":0,"text":"a b"},', megabyte)}{"start":1,"text":"c"}]}`,
    {
      type: pushedType,
    },
  ),
  page('our own pushed type with captions that grow', () => growingCaptionsJson(3_000), { type: pushedType }),
];

function growingCaptionsJson(lines: number): string {
  const captions = Array.from({ length: lines }, (_, at) => ({ start: at, text: repeated('word ', 200) }));
  return JSON.stringify({ title: null, captions });
}

const charsets: PagePayload[] = [
  page('XML declarations without end', () => latin1(`\u00ff${repeated(" <?xml encoding='", 8_192)}`), {
    type: 'text/html',
  }),
  page('spaces before an XML declaration', () => latin1(`\u00ff${repeated(' ', 200_000)}<?xml `), {
    type: 'text/html',
  }),
  page('metas without a charset', () => latin1(`\u00ff${repeated('<meta charset=', 200_000)}`), { type: 'text/html' }),
  page('metas full of spaces', () => latin1(`\u00ff<meta ${repeated(' ', 200_000)}`), { type: 'text/html' }),
  page('50 MB of 0xff', () => new Uint8Array(50 * megabyte - 1).fill(0xff), {
    type: 'text/html',
    encoding: 'gzip',
    isSlow: true,
  }),
  page('5 MB of 0xff as text', () => new Uint8Array(5 * megabyte).fill(0xff), {
    type: 'text/plain',
    encoding: 'gzip',
    isSlow: true,
  }),
  page('a charset that is half a name', () => article('a'), { type: `text/html; charset=${repeated(' "', 4_000)}` }),
  page('escapes of ISO-2022-JP', () => repeated('\u001b$B\u001b(', 500_000), { type: 'text/html' }),
  page('UTF-16 without end', () => new Uint8Array([0xff, 0xfe, ...new Uint8Array(500_001).fill(0x41)]), {
    type: 'text/html',
    isSlow: true,
  }),
];

const sniffed: PagePayload[] = [
  page('PDF marks without a PDF', () => latin1(`\u0001\u0002${repeated('\r%PDF-1.4 1 1 ', 8_192)}`), {
    type: 'application/pdf',
  }),
  page('PDF marks and digits', () => latin1(`\u0001\n%PDF-1.4 ${repeated('1 ', 8_000)}`), { type: 'text/plain' }),
  page('comments before an element', () => repeated('<!-- -->', 400_000), { type: 'text/html' }),
  page('a comment that never ends', () => `<!--${repeated('-', 400_000)}`, { type: 'text/html' }),
  page('underlines without headings', () => repeated('=', 50_000), { type: 'text/plain' }),
  page('lines of equals signs', () => repeated('a\n=== x\n', 50_000), { type: 'text/plain', isSlow: true }),
  page('table rules without end', () => repeated('|---', 50_000), { type: 'text/plain' }),
  page('JSON of brackets', () => repeated('[', 2_000_000), { type: 'application/json', isSlow: true }),
  page('JSON of wide objects', () => `{${repeated('"a":{},', 2 * megabyte)}"b":1}`, { type: 'application/json' }),
  page('doctypes that never end', () => `<!doctype ${repeated('a ', 400_000)}`, { type: 'application/xml' }),
];

const captions: PagePayload[] = [
  page('a caption track that repeats itself, gzip', () => rollingVtt(6_000), {
    type: 'text/vtt',
    encoding: 'gzip',
    ending: '.vtt',
  }),
  page('a caption track of one long cue', () => `WEBVTT\n\n00:00.000 --> 00:01.000\n${repeated('word ', 600_000)}`, {
    type: 'text/vtt',
  }),
  page('a caption track of one word, gzip', () => `WEBVTT\n\n${repeated('00:00.000 --> 00:01.000\na\n\n', 600_000)}`, {
    type: 'text/vtt',
    encoding: 'gzip',
  }),
  page('cues without text', () => `WEBVTT\n\n${repeated('00:00.000 --> 00:01.000\n', 400_000)}`, { type: 'text/vtt' }),
  page('arrows without times', () => `WEBVTT\n\n${repeated('--> ', 400_000)}`, { type: 'text/vtt' }),
  page('SRT of numbers', () => repeated('1\n', 400_000), { type: 'application/x-subrip', ending: '.srt' }),
];

function rollingVtt(cues: number): string {
  const lines = Array.from({ length: cues }, (_, at) => {
    const minutes = String(Math.floor(at / 60) % 60).padStart(2, '0');
    const seconds = String(at % 60).padStart(2, '0');
    return `00:${minutes}:${seconds}.000 --> 00:${minutes}:${seconds}.900\n${repeated('same words again ', 100)}\n`;
  });
  return `WEBVTT\n\n${lines.join('\n')}`;
}

const shapes: PagePayload[] = [
  page('elements nested 100,000 deep', () => `<html><body>${'<div>'.repeat(100_000)}text`, { isSlow: true }),
  page('lists nested 20,000 deep', () => `<html><body>${'<ul><li>'.repeat(20_000)}text`),
  page('a table of 200,000 cells', () => `<html><body><table>${'<tr><td>a<td>b'.repeat(100_000)}`, { isSlow: true }),
  page(
    'table cells that span everything',
    () => `<html><body><p>text<table>${'<tr><td rowspan=65534 colspan=65534>a<td>b<td>c'.repeat(20_000)}`,
    { isSlow: true },
  ),
  page(
    'table rows beside a tall cell',
    () => `<html><body><table>${'<tr><td rowspan=65534>a'.repeat(99)}${'<tr><td>b'.repeat(50_000)}`,
    { isSlow: true },
  ),
  page('tables nested 5,000 deep', () => `<html><body>${'<table><tr><td>a<td>'.repeat(5_000)}text`, { isSlow: true }),
  page('a formula nested 20,000 deep', () => `<html><body><p>text <math>${'<msup><mi>x</mi>'.repeat(20_000)}`),
  page(
    'formulas without end',
    () => `<html><body>${'<p><math><mfrac><mi>x</mi><mi>y</mi></mfrac></math> text</p>'.repeat(20_000)}`,
    { isSlow: true },
  ),
  page('noise without a charset', () => noise(5 * megabyte), { type: 'text/html', isSlow: true }),
  page('noise of Chinese bytes', () => noise(megabyte, 0xa1, 0xfe), { type: 'text/html', isSlow: true }),
  page('50,000 links', () => `<html><body>${'<a href="/a">a</a> '.repeat(50_000)}`),
  page(
    'an element of 100,000 attributes',
    () => `<html><body><p ${Array.from({ length: 100_000 }, (_, at) => `a${at}=1`).join(' ')}>text`,
    { isSlow: true },
  ),
  page('forms and templates', () => `<html><body>${'<template><form><select>'.repeat(20_000)}text`),
  page('JSON-LD of brackets', () =>
    article('text').replace('<head>', `<head><script type="application/ld+json">${repeated('[', 500_000)}</script>`),
  ),
  page('JSON-LD of graphs', () =>
    article('text').replace(
      '<head>',
      `<head><script type="application/ld+json">{"@graph":[${repeated('{"@type":"Article"},', 500_000)}{}]}</script>`,
    ),
  ),
  page('style sheets of nested selectors', () =>
    article('text').replace('<head>', `<head><style>${repeated('a b c>d~e{display:none}', 500_000)}</style>`),
  ),
  page('hidden text without end', () => `<html><body>${'<p style="display:none">a'.repeat(50_000)}`, { isSlow: true }),
  page('titles that repeat', () => `${'<title>a</title>'.repeat(50_000)}${article('text')}`, { isSlow: true }),
  page('metas that repeat', () => `${'<meta property="og:title" content="a">'.repeat(20_000)}${article('text')}`),
  page(
    'a feed of 50,000 entries',
    () =>
      `<?xml version="1.0"?><rss><channel><title>a</title>${'<item><title>a</title><description>b</description></item>'.repeat(20_000)}</channel></rss>`,
    { type: 'application/rss+xml' },
  ),
  page(
    'a feed of entities',
    () =>
      `<?xml version="1.0"?><!DOCTYPE r [<!ENTITY a "aaaaaaaaaa"><!ENTITY b "&a;&a;&a;&a;&a;&a;">]><rss><channel><title>${'&b;'.repeat(50_000)}</title></channel></rss>`,
    { type: 'application/rss+xml' },
  ),
  page(
    'a frame of a watch page',
    () => `<html><script>var ytInitialPlayerResponse = ${repeated('{"a":', 400_000)}</script>`,
  ),
  page('an SVG of a page', () => `<svg>${'<g>'.repeat(50_000)}</svg>`, { type: 'image/svg+xml' }),
  page('brotli that is none', () => article('text'), { type: 'text/html', encoding: 'gzip' }),
];

const pdfs: PagePayload[] = [
  page('a PDF of dot leaders', () => textPdf(Array.from({ length: 40 }, () => `Rent ${'. '.repeat(40)} 12`)), {
    type: 'application/pdf',
  }),
  page('a PDF of signature lines', () => textPdf(Array.from({ length: 60 }, () => '_ '.repeat(60))), {
    type: 'application/pdf',
  }),
  page(
    'PDFs of slow pages',
    () =>
      textPdf(
        Array.from({ length: 4_000 }, (_, at) => `word ${at}`),
        150,
      ),
    {
      type: 'application/pdf',
      isSlow: true,
      copies: 4,
    },
  ),
  page(
    'a PDF of one million pages',
    () =>
      latin1(
        '%PDF-1.4\n1 0 obj<</Type/Catalog/Pages 2 0 R>>endobj\n2 0 obj<</Type/Pages/Count 1000000/Kids[2 0 R]>>endobj\ntrailer<</Root 1 0 R>>',
      ),
    { type: 'application/pdf' },
  ),
  page('a PDF of brackets', () => latin1(`%PDF-1.4\n1 0 obj${'['.repeat(200_000)}endobj\ntrailer<</Root 1 0 R>>`), {
    type: 'application/pdf',
  }),
];

/** Pages that all have these lines. */
function textPdf(lines: readonly string[], pages = 1): Uint8Array {
  const content = `BT /F 9 Tf 20 780 Td 11 TL ${lines.map((line) => `(${line}) Tj T*`).join('\n')} ET`;
  const objects = [
    '<</Type/Catalog/Pages 2 0 R>>',
    `<</Type/Pages/Count ${pages}/Kids[${Array.from({ length: pages }, (_, at) => `${at + 5} 0 R`).join(' ')}]>>`,
    `<</Length ${content.length}>>stream\n${content}\nendstream`,
    '<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>',
    ...Array.from(
      { length: pages },
      () => '<</Type/Page/Parent 2 0 R/MediaBox[0 0 600 800]/Contents 3 0 R/Resources<</Font<</F 4 0 R>>>>>>',
    ),
  ];
  let text = '%PDF-1.4\n';
  const offsets = objects.map((object, at) => {
    const offset = text.length;
    text += `${at + 1} 0 obj${object}endobj\n`;
    return offset;
  });
  const xref = text.length;
  const rows = offsets.map((offset) => `${String(offset).padStart(10, '0')} 00000 n \n`).join('');
  text += `xref\n0 ${objects.length + 1}\n0000000000 65535 f \n${rows}trailer<</Size ${objects.length + 1}/Root 1 0 R>>\nstartxref\n${xref}\n%%EOF`;
  return latin1(text);
}

const formats = [
  { name: 'page', type: 'text/html; charset=utf-8', ending: '.html', wrap: article },
  { name: 'Markdown', type: 'text/markdown', ending: '.md', wrap: (text: string) => `# A note\n\n${text}` },
  { name: 'text', type: 'text/plain; charset=utf-8', ending: '.txt', wrap: (text: string) => text },
] as const;

/** A text full of one thing, in the three formats in turn. */
const full: PagePayload[] = hostileStrings(60_000)
  .filter((_, at) => at % 3 === 0)
  .map(({ name, text }, at) => {
    const format = formats[at % formats.length] ?? formats[0];
    return page(`${format.name} full of ${name}`, () => Buffer.from(format.wrap(text)), {
      type: format.type,
      ending: format.ending,
      isOneOfMany: true,
    });
  });

export const pages: readonly PagePayload[] = [
  ...claims,
  ...charsets,
  ...sniffed,
  ...captions,
  ...shapes,
  ...pdfs,
  ...full,
];
