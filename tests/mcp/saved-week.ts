import type { App } from '../../src/app/app.ts';
import { localAccountId } from '../../src/domain/records/account.ts';
import { ManualClock } from '../support/clock.ts';
import { addFinishedItem, emptyAnalysis, paragraphs } from '../support/content.ts';
import { openTestServer } from '../support/test-server.ts';
import { connectInMemory, type TestClient } from '../support/mcp.ts';
import { claimJob } from '../support/store/claims.ts';

const day = 24 * 60 * 60_000;

/** A library of a few weeks, and an assistant that may do everything with it. */
export interface SavedWeek {
  app: App;
  client: TestClient;
  /** Of the items and goals, by name. */
  ids: Record<string, string>;
  /** Saves one more, processed to the end. */
  save(name: string, text: string): Promise<string>;
  close(): Promise<void>;
}

/** What was made of a page whose every paragraph asks for something. */
function analysisOf(text: string, goalId: string | null) {
  const place = {
    quote: text,
    start: 0,
    end: text.length,
    locator: { kind: 'text' as const, start: 0, end: text.length },
  };
  return {
    ...emptyAnalysis,
    summary: `It says: ${text}`,
    actions: [{ title: text.replace('.', ''), reason: null, goalId, ...place, url: 'https://example.org/page#there' }],
  };
}

export async function openSavedWeek(): Promise<SavedWeek> {
  const clock = new ManualClock(Date.UTC(2026, 0, 1));
  const testServer = await openTestServer({ embedder: 'none', workers: 0 }, { clock });
  const ids: Record<string, string> = {};
  const save = async (name: string, text: string, goalId: string | null = null, tags: string[] = []) => {
    const store = await testServer.app.stores.open(localAccountId);
    const id = await addFinishedItem(store, {
      url: `https://example.org/${name}`,
      blocks: paragraphs(text),
      about: { title: `About ${name}` },
      tags,
      analysis: analysisOf(text, goalId),
    });
    ids[name] = id;
    return id;
  };
  const { stores, services } = testServer.app;
  const store = await stores.open(localAccountId);
  const sleep = await services.goals.add(localAccountId, { title: 'Sleep eight hours', category: 'Health' });
  const money = await services.goals.add(localAccountId, { title: 'Save for a house', category: 'Wealth' });
  ids['sleep goal'] = sleep.id;
  ids['money goal'] = money.id;
  await save('coffee', 'Drink your last coffee before noon.', sleep.id, ['health']);
  await save('budget', 'Write down every expense for a month.', money.id);
  clock.advance(20 * day);
  await save('light', 'Keep the bedroom dark and cool.', sleep.id, ['Health', 'home']);
  await store.saveContent({
    url: 'https://example.org/stuck',
    canonicalUrl: 'https://example.org/stuck',
    tags: [],
    notes: undefined,
  });
  clock.advance(2 * day);
  await store.saveContent({
    url: 'https://example.org/gone',
    canonicalUrl: 'https://example.org/gone',
    tags: [],
    notes: undefined,
  });
  for (let claim = await claimJob(store, 1_000); claim !== null; claim = await claimJob(store, 1_000)) {
    if (claim.url.endsWith('/gone'))
      await store.failJob(claim, {
        code: 'not_found',
        message: 'The page is not there.',
        retryable: false,
        nextAttemptAt: null,
      });
    else {
      const later = clock.now() + day;
      await store.failJob(claim, {
        code: 'timeout',
        message: 'The site did not answer.',
        retryable: true,
        nextAttemptAt: later,
      });
    }
  }
  const { items } = await store.listActions({ contentId: ids['light'], offset: 0 });
  await services.actions.complete(localAccountId, items[0]?.id ?? '');
  const client = await connectInMemory(testServer.app);
  return {
    app: testServer.app,
    client,
    ids,
    save,
    async close() {
      await client.close();
      await testServer.close();
    },
  };
}

/** Ids and marks are random: they get names, so that a snapshot can hold them. */
export function steady(text: string): string {
  const names = new Map<string, string>();
  return text.replaceAll(/\b[acg]_[a-z2-7]{16}\b|(?<=<\/?saved )[0-9a-f]{16}/g, (id) => {
    const known = names.get(id) ?? (id.includes('_') ? `${id[0]}_${names.size + 1}` : 'MARK');
    names.set(id, known);
    return known;
  });
}
