import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { layOutTranscript, type Transcript } from '../../src/domain/records/texts/document.ts';
import { readPdf } from '../../src/sources/pdf/read-pdf.ts';
import { sniffResource } from '../../src/sources/decoding/sniff.ts';
import { extractPage } from '../../src/sources/page/extract-page.ts';
import { readLines } from './material.ts';

export interface Page {
  id: string;
  title: string;
  kind: string;
  transcript: Transcript;
}

/** Reads the English pages and papers of the corpora, then the pages of our own that are beside this program. */
export async function readPages(corpora: string, isWanted: (id: string) => boolean = () => true): Promise<Page[]> {
  const pages: Page[] = [];
  for (const line of readLines<{ id: string; url: string; html: string; title: string | null; pageType: string }>(
    join(corpora, 'articles', 'manifest.jsonl'),
  )) {
    if (!isWanted(line.id)) continue;
    const bytes = new Uint8Array(gunzipSync(readFileSync(join(corpora, 'articles', line.html))));
    const { text: html } = await sniffResource(bytes, 'text/html', line.url);
    const document = await extractPage(html ?? '', line.url).catch(() => null);
    if (document === null || !(document.language ?? 'en').startsWith('en') || document.warnings.length > 0) continue;
    const transcript = layOutTranscript(document.blocks);
    const title = document.title ?? line.title ?? '';
    // Too little to judge: an error page, a wall against bots.
    if (transcript.text.length < 600 || /not a bot/.test(title)) continue;
    pages.push({ id: line.id, title, kind: line.pageType, transcript });
  }
  for (const id of ['pdfminer__nonfree__naacl06-shinyama', 'pdfplumber__tests__pdfs__issue-982-example']) {
    if (!isWanted(id)) continue;
    const bytes = new Uint8Array(readFileSync(join(corpora, 'pdf', 'files', `${id}.pdf`)));
    const how = { url: 'file:///paper.pdf', password: null, ocr: false, progress: () => undefined };
    const { title, blocks } = await readPdf(bytes, how);
    pages.push({ id, title: title ?? '', kind: 'paper', transcript: layOutTranscript(blocks) });
  }
  return [...pages, ...ownPages().filter(({ id }) => isWanted(id))];
}

/** Short pages of our own, of sorts that the corpora lack: health, money, people; recipes, transcripts, letters. */
function ownPages(): Page[] {
  const labelled = readLines<{
    title: string;
    blocks: { heading?: string; list?: true; sentences?: { text: string }[] }[];
  }>(new URL('../data/action-pages.jsonl', import.meta.url)).map(({ title, blocks }, at): Page => {
    const transcript = layOutTranscript(
      blocks.map(({ heading, list, sentences: texts = [] }) => {
        if (heading !== undefined) return { kind: 'heading', level: 2, text: `## ${heading}` };
        return list === true
          ? { kind: 'list', text: texts.map(({ text }) => `- ${text}`).join('\n') }
          : { kind: 'paragraph', text: texts.map(({ text }) => text).join(' ') };
      }),
    );
    return { id: `own-${at + 1}`, title, kind: 'own', transcript };
  });
  const kinds = readLines<{ title: string; text: string }>(new URL('own-pages.jsonl', import.meta.url)).map(
    ({ title, text }, at): Page => {
      const blocks = text.split('\n\n').map((part) => {
        const level = /^#*/.exec(part)?.[0].length ?? 0;
        if (level > 0) return { kind: 'heading' as const, level, text: part };
        return { kind: /^(?:- |1\. )/.test(part) ? ('list' as const) : ('paragraph' as const), text: part };
      });
      return { id: `kind-${at + 1}`, title, kind: 'own', transcript: layOutTranscript(blocks) };
    },
  );
  return [...labelled, ...kinds];
}
