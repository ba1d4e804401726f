import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { layOutTranscript, type Transcript } from '../../src/domain/records/texts/document.ts';
import type { Analysis } from '../../src/domain/records/analyses/analysis.ts';
import { createExtractiveAnalyst } from '../../src/models/analysis/extractive/extractive.ts';

const analyst = createExtractiveAnalyst();

function analyse(title: string | null, language: string, transcript: Transcript): Promise<Analysis> {
  return analyst.analyse({ title, language, ...transcript }, [], new AbortController().signal);
}

function readLines<Line>(name: string): Line[] {
  return readFileSync(new URL(`../../bench/data/${name}`, import.meta.url), 'utf8')
    .trim()
    .split('\n')
    .map((line): Line => JSON.parse(line));
}

interface ForeignPage {
  language: string;
  title: string;
  paragraphs: { text: string; insight: boolean }[][];
}

describe('on pages in six other languages', () => {
  it('insights are mostly what a reader would underline, and never a line about the page', async () => {
    let [right, picked] = [0, 0];
    for (const { language, title, paragraphs } of readLines<ForeignPage>('foreign-pages.jsonl')) {
      const texts = paragraphs.map((sentences) => sentences.map(({ text }) => text).join(' '));
      const transcript = layOutTranscript(texts.map((text) => ({ kind: 'paragraph', text })));
      const { insights, actions } = await analyse(title, language, transcript);
      const underlined = new Set(paragraphs.flat().flatMap(({ text, insight }) => (insight ? [text] : [])));
      picked += insights.length;
      right += insights.filter(({ text }) => underlined.has(text)).length;
      expect(actions).toEqual([]);
      expect(insights.map(({ text }) => text).join(' ')).not.toMatch(/cookies|newsletter|rechte|direitos|foto:/i);
    }
    expect(right / picked).toBeGreaterThanOrEqual(0.85);
  });

  it.each([
    ['de', 'Alle Rechte vorbehalten.'],
    ['nl', 'Alle rechten voorbehouden.'],
    ['nl', 'De waterschappen zaaien sinds 2020 op driehonderd kilometer dijk een mengsel van veertig soorten.'],
    ['it', 'Bisogna quindi tenerla al fresco.'],
  ])('in %s "%s" is not an action', async (language, text) => {
    const { actions } = await analyse(null, language, layOutTranscript([{ kind: 'paragraph', text }]));
    expect(actions).toEqual([]);
  });

  it.each([
    ['nl', 'De aardappelen schoonmaken en in blokjes van een centimeter snijden.'],
    ['it', 'Bisogna arieggiare la camera da letto ogni mattina.'],
  ])('in %s "%s" is an action', async (language, text) => {
    const { actions } = await analyse(null, language, layOutTranscript([{ kind: 'paragraph', text }]));
    expect(actions).toHaveLength(1);
  });
});
