import { expect, test } from 'vitest';
import { localAccountId } from '../../../src/domain/records/account.ts';
import { openTestServer } from '../../support/test-server.ts';

const signal = new AbortController().signal;
const command = 'commonplace model install multilingual-e5-small';

test('in a library of other languages, doctor and the first search suggest a model with the command', async () => {
  const { app, close } = await openTestServer();
  try {
    const meaningCheck = async () => (await app.inspect()).find(({ name }) => name === 'Search by meaning');
    const save = (at: number, text: string) =>
      app.services.library.save(
        localAccountId,
        { url: `https://example.com/${at}`, title: `Brief ${at}`, text },
        { signal, onProgress: () => undefined },
      );
    const hintOf = async (query: string) =>
      (await app.services.search.search(localAccountId, { query, limit: 1 }, signal)).hint;
    await save(0, 'The cat sleeps for sixteen hours a day and hunts in the twilight, says the letter of the vet.');
    await app.worker.runUntilEmpty();
    expect(await meaningCheck()).toMatchObject({ state: 'ok' });
    expect(await hintOf('cat sleeps')).toBeUndefined();

    for (let at = 1; at <= 20; at += 1) {
      await save(at, `Die Katze schläft am Tag ${at} wieder in der Küche, weil es dort wärmer ist als im Garten.`);
    }
    await app.worker.runUntilEmpty();
    expect(await meaningCheck()).toMatchObject({ state: 'optional', fix: expect.stringContaining(command) as string });
    expect(await hintOf('Katze Küche')).toContain(command);
    expect(await hintOf('Katze Küche')).toBeUndefined();
  } finally {
    await close();
  }
});
