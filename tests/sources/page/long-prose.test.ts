// Second stage, alone.
import { describe, expect, it } from 'vitest';
import { layOutTranscript } from '../../../src/domain/records/texts/document.ts';
import { plainText } from '../../../src/domain/text/plain-text.ts';
import { extractPage } from '../../../src/sources/page/extract-page.ts';
import { isThorough } from '../../support/vitest/thorough.ts';

const subjects =
  'the harbour master|an old sailor|my sister|the widow of the baker|nobody on the quay|the second ferry'.split('|');
const verbs = 'watched|remembered|had never seen|wrote down|told us about|was afraid of'.split('|');
const objects =
  'the evening tide|a letter from the north|that long winter|the lamp on the pier|what the bell had said|his first voyage'.split(
    '|',
  );
const ends =
  'before the rain came|and said nothing|until the lights went out|as everybody did in those years|while we waited'.split(
    '|',
  );

/** The same text in every run: a step through the lists that repeats late. */
function sentence(n: number): string {
  const one = (list: readonly string[], step: number): string => list[Math.floor(n / step) % list.length] ?? '';
  const text = `${one(subjects, 1)} ${one(verbs, 5)} ${one(objects, 7)}, ${one(ends, 3)}.`;
  return text.charAt(0).toUpperCase() + text.slice(1);
}

/** Paragraphs of one to six sentences, some of them a line of dialogue. */
function paragraphs(words: number): string[] {
  const found: string[] = [];
  let count = 0;
  for (let n = 0; count < words; n += 1) {
    const size = 1 + ((n * 7) % 6);
    const text =
      n % 11 === 0
        ? '“Not before dawn,” she said.'
        : Array.from({ length: size }, (_, i) => sentence(n * 6 + i)).join(' ');
    found.push(text);
    count += text.split(' ').length;
  }
  return found;
}

/** Paragraphs were lost from some 15,000 words on. */
const length = isThorough ? 100_000 : 40_000;
const text = paragraphs(length);
const chapters = Array.from({ length: Math.ceil(text.length / 30) }, (_, at) => text.slice(at * 30, at * 30 + 30));
const whole = (
  wrap: (paragraph: string) => string,
  chapter = (body: string, n: number) => `<h2>Chapter ${n}</h2>${body}`,
): string => chapters.map((own, at) => chapter(own.map(wrap).join('\n'), at + 1)).join('\n');

/** Markup of books as plain as it is found. */
const markups: readonly (readonly [name: string, body: string])[] = [
  ['paragraphs', whole((one) => `<p>${one}</p>`)],
  ['paragraphs that are never closed', whole((one) => `<p>${one}`)],
  ['paragraphs of two classes', whole((one) => `<p class="${one.length < 40 ? 'first' : 'indent'}">${one}</p>`)],
  ['paragraphs in a div', `<div>${whole((one) => `<p>${one}</p>`)}</div>`],
  [
    'a div for each chapter',
    whole(
      (one) => `<p>${one}</p>`,
      (body, n) => `<div class="chapter"><h2>Chapter ${n}</h2>${body}</div>`,
    ),
  ],
  [
    'a section for each chapter',
    whole(
      (one) => `<p>${one}</p>`,
      (body, n) => `<section><h2>Chapter ${n}</h2>${body}</section>`,
    ),
  ],
  ['divs', whole((one) => `<div>${one}</div>`)],
  ['spans in divs', whole((one) => `<div><span>${one}</span></div>`)],
  ['line breaks', whole((one) => `${one}<br><br>`)],
  ['line breaks in a font', `<font face="Times">${whole((one) => `${one}<br><br>`)}</font>`],
  [
    'rows of a table',
    `<table>${whole(
      (one) => `<tr><td>${one}</td></tr>`,
      (body, n) => `<tr><td><h2>Chapter ${n}</h2></td></tr>${body}`,
    )}</table>`,
  ],
  [
    'a table around it',
    `<center><table width="80%"><tr><td>${whole((one) => `<p>${one}</p>`)}</td></tr></table></center>`,
  ],
  ['a quotation', `<blockquote>${whole((one) => `<p>${one}</p>`)}</blockquote>`],
  [
    'a list',
    whole(
      (one) => `<li>${one}</li>`,
      (body) => `<ol>${body}</ol>`,
    ),
  ],
  ['preformatted text', `<pre>${text.join('\n\n')}</pre>`],
];

/** Share of the paragraphs that are in a text, in order. */
function recall(found: string): number {
  let at = 0;
  let count = 0;
  for (const paragraph of text) {
    const next = found.indexOf(paragraph, at);
    if (next === -1) continue;
    count += 1;
    at = next + paragraph.length;
  }
  return count / text.length;
}

describe(`A book of ${length} words`, () => {
  it.each(markups)('is read whole when it is made of %s', async (_name, body) => {
    const page = `<html><head><title>The ferry</title></head><body><h1>The ferry</h1>${body}</body></html>`;
    const { blocks } = await extractPage(page, 'https://books.example/ferry.html');
    expect(recall(plainText(layOutTranscript(blocks).text))).toBeGreaterThanOrEqual(0.99);
  });

  it('excludes the comments below it', async () => {
    const comments = Array.from(
      { length: 40 },
      (_, i) => `<li class="comment"><p>I read this on the ferry, too, and liked it ${i} times.</p></li>`,
    );
    const page = `<html><body><h1>The ferry</h1><div>${whole((one) => `<p>${one}</p>`)}</div><div id="comments"><h3>Comments</h3><ul>${comments.join('')}</ul></div></body></html>`;
    const { blocks } = await extractPage(page, 'https://books.example/ferry.html');
    expect(layOutTranscript(blocks).text).not.toContain('liked it 39 times');
  });
});
