import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { wordsOf } from '../../bench/word-scores.ts';
import { sniffResource } from '../../src/sources/decoding/sniff.ts';
import { isTooLargeForDom, scanPage } from '../../src/sources/page/html/html-scan.ts';
import { levelPage } from '../../src/sources/page/html/level-source.ts';
import { hideText } from '../../src/sources/page/html/hidden-text.ts';
import { blocksOfPage } from '../../src/sources/page/blocks/page-blocks.ts';
import { blockFeatures } from '../../src/sources/page/blocks/page-features.ts';
import { parsePage } from '../../src/sources/page/html/parse-page.ts';
import type { TrainingRows } from './boosted-trees.ts';
import { labelBlocks } from './labels.ts';

export interface LabelledPage {
  id: string;
  url: string;
  html: string;
  pageType: string;
  truth: string[];
  texts: string[][];
  labels: number[];
  rows: Float32Array[];
  /** Of its first row among those of all pages. */
  offset: number;
}

/** The pages of `articles/`, their blocks described and labelled. */
export async function readPages(folder: string): Promise<LabelledPage[]> {
  const read: LabelledPage[] = [];
  let offset = 0;
  for (const line of readFileSync(join(folder, 'manifest.jsonl'), 'utf8').trim().split('\n')) {
    const one = JSON.parse(line) as { id: string; url: string; html: string; text: string; pageType: string };
    const bytes = new Uint8Array(gunzipSync(readFileSync(join(folder, one.html))));
    const { text } = await sniffResource(bytes, 'text/html', one.url);
    const whole = levelPage(text ?? '');
    const facts = scanPage(whole);
    // What no DOM is built of has no blocks to learn from; it is measured all the same.
    const hasBlocks = facts.elements > 0 && !isTooLargeForDom(facts);
    const base = URL.parse(facts.baseHref ?? '', one.url)?.href ?? one.url;
    const blocks = hasBlocks ? blocksOfPage(parsePage(hideText(whole).marked, one.url, base).documentElement) : [];
    const texts = blocks.map((block) => wordsOf(block.text));
    const truth = wordsOf(one.text);
    const labels = labelBlocks(texts, truth);
    const { id, url, pageType } = one;
    read.push({
      id,
      url,
      html: text ?? '',
      pageType,
      truth,
      texts,
      labels,
      rows: blockFeatures(blocks, facts, one.url),
      offset,
    });
    offset += blocks.length;
  }
  return read;
}

/** Words count, and every page as much as any other. */
export function asRows(all: readonly LabelledPage[]): { data: TrainingRows; pageOf: Int32Array } {
  const count = all.reduce((sum, page) => sum + page.rows.length, 0);
  const features = all[0]?.rows[0]?.length ?? 0;
  const columns = Array.from({ length: features }, () => new Float32Array(count));
  const labels = new Float32Array(count);
  const weights = new Float32Array(count);
  const owner = new Int32Array(count);
  for (const [n, page] of all.entries()) {
    const size = Math.max(150, page.truth.length);
    const raw = page.texts.map((words) => ((Math.min(words.length, size) + 0.5) / size) * 20);
    const scale = Math.min(1, 60 / raw.reduce((sum, one) => sum + one, 0));
    for (const [k, row] of page.rows.entries()) {
      const at = page.offset + k;
      for (const [j, column] of columns.entries()) column[at] = row[j] ?? 0;
      labels[at] = page.labels[k] ?? 0;
      weights[at] = (raw[k] ?? 0) * scale;
      owner[at] = n;
    }
  }
  return { data: { columns, labels, weights }, pageOf: owner };
}
