import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { ContentItem } from '../../../src/domain/records/content.ts';
import { clientKinds, connectOverStdio, type TestClient } from '../../support/mcp.ts';
import { articlePage, serve, startSite, type Site } from '../../support/servers/site.ts';
import { isThorough } from '../../support/vitest/thorough.ts';

interface Leased {
  item: { id: string } | null;
  lease: string;
  text: string;
  nextCursor?: string;
}

let site: Site;
const folders: string[] = [];

beforeAll(async () => {
  site = await startSite();
  for (let at = 0; at < 4; at++) {
    site.routes.set(
      `/${at}`,
      serve(
        articlePage(`Page ${at}`, [
          `Walk for ${at + 20} minutes after lunch every day. It keeps the heart young.`,
          `This page of number ${at} says nothing else that anybody would want to keep for long.`,
        ]),
      ),
    );
  }
});
afterAll(async () => {
  await site.close();
  for (const folder of folders) rmSync(folder, { recursive: true, force: true });
});

/** What a diligent assistant does: one item after the other, until nothing waits. */
async function analyseAll(client: TestClient): Promise<string[]> {
  const done: string[] = [];
  for (;;) {
    const leased = (await client.call('next_to_analyse', { maxTokens: 1_000 })).structured as Leased;
    if (leased.item === null) return done;
    let { text, nextCursor } = leased;
    while (nextCursor !== undefined) {
      const more = (await client.call('next_to_analyse', { maxTokens: 1_000, cursor: nextCursor }))
        .structured as Leased;
      text += more.text;
      nextCursor = more.nextCursor;
    }
    const quote = /Walk for[^.]*\./.exec(text)?.[0] ?? '';
    const draft = {
      id: leased.item.id,
      lease: leased.lease,
      summary: 'On walking after lunch.',
      insights: [],
      actions: [{ title: 'Walk after lunch', quote }],
    };
    const invented = [{ text: 'Invented.', quote: 'Running is better than walking, always.' }];
    const first = await client.call('submit_analysis', { ...draft, insights: invented });
    expect(first.structured).toMatchObject({ outcome: 'mend', problems: [{ path: 'insights[0].quote' }] });
    expect((await client.call('submit_analysis', draft)).structured).toMatchObject({ outcome: 'kept' });
    expect((await client.call('submit_analysis', draft)).structured).toMatchObject({ outcome: 'kept_before' });
    done.push(leased.item.id);
  }
}

// In the gate one kind: what they send for a tool is the same.
test.each(isThorough ? clientKinds : clientKinds.slice(0, 1))(
  'two assistants (%s) analyse the saved items, each item once',
  async (kind) => {
    const folder = mkdtempSync(join(tmpdir(), 'commonplace-analyse-'));
    folders.push(folder);
    const flags = ['--analyse-tools', 'true', '--embedder', 'none'];
    const [one, two] = await Promise.all([
      connectOverStdio(kind, folder, flags),
      connectOverStdio(kind, folder, flags),
    ]);
    try {
      const ids: string[] = [];
      for (let at = 0; at < 4; at++) {
        const saved = await one.call('save_content', { url: `${site.url}/${at}`, wait: 45 });
        ids.push((saved.structured as ContentItem).id);
      }
      const done = (await Promise.all([analyseAll(one), analyseAll(two)])).flat();
      expect(done.toSorted()).toEqual(ids.toSorted());
      for (const id of ids) {
        expect((await two.call('get_content', { id, detail: 'full' })).structured).toMatchObject({
          summary: 'On walking after lunch.',
          actions: [{ title: 'Walk after lunch' }],
          analysis: { by: 'assistant', droppedQuotes: 0 },
        });
      }
    } finally {
      await Promise.all([one.close(), two.close()]);
    }
  },
  120_000,
);
