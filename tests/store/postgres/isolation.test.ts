import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { indexMethodsOf } from '../../../src/search/index-methods.ts';
import { indexMethods } from '../../../src/app/index-methods.ts';
import { AccountAccess } from '../../../src/store/postgres/account-access.ts';
import { createPostgresStore, type PostgresStore } from '../../../src/store/postgres/account-store.ts';
import { connect, type Pool } from '../../../src/store/postgres/database.ts';
import { libraryTables } from '../../../src/store/postgres/control.ts';
import { usualHistory } from '../../../src/store/history/recording.ts';
import { IndexNode } from '../../../src/store/postgres/searching/index-node.ts';
import { openPostgresStores } from '../../../src/store/postgres/open.ts';
import type { SourceClaim } from '../../../src/domain/records/sources/source.ts';
import { scopes } from '../../../src/domain/records/account.ts';
import { isoTime } from '../../../src/domain/clock.ts';
import { newId } from '../../../src/domain/records/ids.ts';
import { newChange } from '../../../src/domain/records/change.ts';
import type { Claim } from '../../../src/store/records.ts';
import {
  analysisOf,
  documentOf,
  processToPassages,
  resource,
  saving,
  transcriptOf,
} from '../contracts/items/store-items.ts';
import { temporaryFolder } from '../temporary-folder.ts';
import { ManualClock } from '../../support/clock.ts';
import { MemoryObjects } from '../../support/postgres/memory-objects.ts';
import { PostgresServer, type TestDatabase } from '../../support/postgres/server.ts';
import { claimJob } from '../../support/store/claims.ts';

/** Stands in everything that the victim has. */
const marker = 'Zyxomma';
const quote = `${marker} drink a glass of water before breakfast.`;
const text = `${quote} And some other words of a text.`;

const insight = { text: marker, quote: null, start: null, end: null, locator: null, url: null };

let server: PostgresServer;
let database: TestDatabase;
let app: Pool;
let admin: Pool;
let stores: Awaited<ReturnType<typeof openPostgresStores>>;
let victim: { account: string; store: PostgresStore };
let attacker: string;
let attackersNode: IndexNode;
const folder = temporaryFolder();
const index = { maxBytes: 1e9, indexMethods: indexMethods() };
const clock = new ManualClock();
const objects = new MemoryObjects();

/** Everything that the victim has, one array for each table. */
async function dump(): Promise<unknown[]> {
  const rows = [];
  for (const table of libraryTables)
    rows.push(
      await admin.unsafe(`SELECT to_json(t)::text AS row FROM ${table} t WHERE account_id = $1 ORDER BY 1`, [
        victim.account,
      ]),
    );
  return rows;
}

/** An item with everything that an item can have. @returns a claim that is still held, of a second item */
async function fill(account: string): Promise<Claim> {
  const store = await stores.open(account);
  const notes = `${marker} notes`;
  const { id } = await store.saveContent(saving(`https://a.example/${marker}`, { tags: [marker], notes }));
  await store.addGoal({ title: `${marker} health`, category: 'Health', description: marker });
  const claim = (await claimJob(store, 60_000))!;
  const next = await processToPassages(store, claim, { text, fingerprint: new Uint8Array(32).fill(7) });
  const { documentId } = (await store.readDocument(id))!;
  const passages = await store.listPassagesToEmbed('e', 9, { contentId: id });
  await store.keepVectors(
    'e',
    passages.map(({ passageId }) => ({ passageId, vector: Float32Array.of(1, 0) })),
  );
  await store.rememberQuery(`${marker} query`);
  await store.keepCompanion(id, `${marker} companion`, resource(`https://a.example/${marker}/c`, text));
  await store.keepCompanion(id, `${marker} large`, resource('x', '', { bytes: randomBytes(20_000) }));
  await admin`INSERT INTO dead_objects (account_id, name) VALUES (${account}, ${marker})`;
  await admin`
    INSERT INTO tag_proposals (account_id, item, folded, tag, reason, score)
    SELECT account_id, seq, ${marker}, ${marker}, ${marker}, 1 FROM items WHERE account_id = ${account} AND id = ${id}`;
  await admin`
    INSERT INTO page_checks (account_id, item, etag)
    SELECT account_id, seq, ${marker} FROM items WHERE account_id = ${account} AND id = ${id}`;
  await admin`
    INSERT INTO sources (account_id, id, kind, key, address, name, options, memory, due_at, created_at, updated_at)
    VALUES (${account}, ${marker}, 'feed', ${marker}, ${marker}, ${marker}, '{}', '{}', 0, 0, 0)`;
  await admin`
    INSERT INTO source_entries (account_id, source, key, state, title, seen_at)
    SELECT account_id, seq, ${marker}, 'headline', ${marker}, 0 FROM sources WHERE account_id = ${account}`;
  await store.addList({ name: marker });
  await store.addToList(marker, [id]);
  await store.keepAnalysis(
    await store.finishEmbedding(next),
    documentId,
    analysisOf(text, [quote], { insights: [insight] }),
  );
  await store.addHighlight({ contentId: id, quote: marker, note: `${marker} note` });
  await store.beginRequest(`${marker} key`, 'fingerprint');
  const change = newChange({ face: 'rest', by: marker, operation: 'update_content', scopes: ['content:write'] });
  const person = await stores.open({ account, change });
  await person.updateContent(id, { title: `${marker} title`, addTags: [`${marker} tag`] });
  const deleted = await store.saveContent(saving(`https://b.example/${marker}`, { original: resource('x', marker) }));
  await person.saveContent(saving(`https://b.example/${marker}`, { original: resource('x', `${marker} two`) }));
  const changes = [{ id, contentId: id, title: marker, field: 'notes', before: marker, after: null }];
  const undone = { undoneBy: null, undoes: null };
  await store.restoreHistory([
    { id: newId('x'), at: isoTime(0), face: 'cli', by: marker, operation: 'import', rows: 1, changes, ...undone },
  ]);
  await store.deleteContent(deleted.id);
  await store.saveContent(saving(`https://c.example/${marker}`));
  return (await claimJob(store, 60_000))!;
}

let held: Claim;
beforeAll(async () => {
  server = await PostgresServer.start();
  database = await server.createDatabase();
  app = connect({ url: database.url, maxConnections: 2 });
  admin = connect({ url: server.adminUrl(database), maxConnections: 1 });
  stores = await openPostgresStores({
    url: database.url,
    clock,
    objects,
    index: { ...index, folder: join(folder.path, 'victim') },
  });
  attackersNode = new IndexNode({ ...index, folder: join(folder.path, 'attacker') }, clock);
  const account = (await stores.control.createAccount({ name: 'victim', plan: 'pro' })).id;
  victim = { account, store: await stores.open(account) };
  attacker = (await stores.control.createAccount({ name: 'attacker', plan: 'pro' })).id;
  await fill(attacker);
  held = await fill(account);
});
afterAll(async () => {
  await Promise.all([app.end(), admin.end(), stores.close(), attackersNode.close()]);
  await server.stop();
  await folder.remove();
});

describe('statements that read the rows of another account, with row-level security as the only defence', () => {
  /*
   * In place of statements without their condition on the account, here are statements whose condition names the victim,
   * in a transaction that may see the attacker's rows alone.
   */
  it('show and change nothing, whatever method runs them', async () => {
    const attack = createPostgresStore(
      new AccountAccess({ pool: app, clock, historyLimits: usualHistory, objects }, victim.account, {
        admitted: attacker,
      }),
      attackersNode,
    );
    const { store } = victim;
    const page = { limit: 100, offset: 0 };
    const [item] = (await store.listContent(page)).items.filter(({ status }) => status === 'completed');
    const id = item!.id;
    const { documentId } = (await store.readDocument(id))!;
    const [action] = (await store.listActions({ offset: 0 })).items;
    const [goal] = (await store.listGoals({ offset: 0 })).items;
    const [highlight] = (await store.listHighlights({ offset: 0 })).items;
    const [deleted] = (await store.listContent({ ...page, deleted: true })).items;
    const analysis = (await store.claimAnalysis(60_000))!;
    const [change] = (await store.listHistory({ scopes, limit: 1, offset: 0 }))!.items;
    for (const found of [action, goal, highlight, deleted, change]) expect(found).toBeDefined();
    const [exportedGoal] = await store.listGoalsToExport();
    const exportedLists = await store.listListsToExport();
    const exportedSources = [{ ...(await store.listSourcesToExport())[0]!, entries: [] }];
    const exported = { item: (await store.readToExport(id))!, goal: exportedGoal! };
    const { entries } = await store.readHistoryToExport({ after: null, since: 0, limit: 1 });
    // The victim searches on this node, so that its copy of the index is there; the attacker's node has its own.
    const [{ passageId } = { passageId: 0 }] = await store.searchWords(marker, {}, 1);
    expect(passageId).toBeGreaterThan(0);
    const search = {
      text: marker,
      vector: null,
      filter: {},
      by: 'both' as const,
      depth: 10,
      isTyped: false,
      items: 10,
      passagesOfEach: 1,
      distinct: false,
      placed: 0,
      facets: false,
    };
    const before = await dump();
    const objectsBefore = new Map(objects.objects);
    const failure = { code: 'server_error' as const, message: 'x', retryable: true, nextAttemptAt: null };

    const sourceClaim: SourceClaim = {
      id: marker,
      leaseToken: 'x',
      kind: 'feed',
      address: marker,
      host: null,
      name: marker,
      options: {},
      everyMinutes: null,
      memory: {},
      failures: 0,
      checkedAt: null,
    };
    // A method without an attack does not compile.
    const attacks: Record<Exclude<keyof PostgresStore, 'accountId' | 'close'> | 'locate', () => Promise<unknown>> = {
      saveContent: () => attack.saveContent(saving(item!.url ?? '', { notes: 'mine' })),
      importContent: () =>
        attack.importContent([
          {
            url: item!.url ?? '',
            canonicalUrl: item!.canonicalUrl ?? '',
            title: 'x',
            tags: ['x'],
            notes: 'x',
            createdAt: 0,
          },
        ]),
      getContent: () => attack.getContent(id),
      getContentSummary: () => attack.getContentSummary(id),
      findByAddress: () => attack.findByAddress(item!.canonicalUrl ?? ''),
      getContentVersion: () => attack.getContentVersion(id),
      listContent: () => attack.listContent(page),
      listTitles: () => attack.listTitles(page),
      listTags: () => attack.listTags(page),
      renameTag: () => attack.renameTag(marker, 'mine'),
      listLists: () => attack.listLists(),
      getList: () => attack.getList(marker),
      addList: () => attack.addList({ name: 'mine' }),
      updateList: () => attack.updateList(marker, { name: 'mine' }),
      editList: () => attack.editList(marker, { icon: 'x' }),
      deleteList: () => attack.deleteList(marker),
      addToList: () => attack.addToList(marker, [id]),
      removeFromList: () => attack.removeFromList(marker, [id]),
      listListsToExport: () => attack.listListsToExport(),
      restoreLists: () => attack.restoreLists(exportedLists, 'any'),
      listSourcesToExport: () => attack.listSourcesToExport(),
      restoreSources: () => attack.restoreSources(exportedSources, 'any'),
      countKinds: () => attack.countKinds(),
      countItems: () => attack.countItems(),
      keepReading: () => attack.keepReading(id, { start: 1, share: 0.1 }),
      listNames: () => attack.listNames(100),
      coverage: () => attack.coverage(),
      findHeld: () => attack.findHeld([id, action!.id, highlight!.id], { lists: [], tags: [marker] }),
      listHeld: () => attack.listHeld({ lists: [], tags: [marker] }),
      listHeldLists: () => attack.listHeldLists({ lists: [marker], tags: [] }),
      listEmptyHeldLists: () => attack.listEmptyHeldLists({ lists: [marker], tags: [] }),
      countHeldVectors: () => attack.countHeldVectors(null, { lists: [], tags: [marker] }),
      retryContent: () => attack.retryContent(id),
      updateContent: () => attack.updateContent(id, { title: 'mine' }),
      deleteContent: () => attack.deleteContent(id),
      restoreContent: () => attack.restoreContent(deleted!.id),
      expireDeleted: () => attack.expireDeleted(null),
      purgeExpired: () => attack.purgeExpired(100),
      readOriginal: () => attack.readOriginal(id, `${marker} large`),
      readDeclaredType: () => attack.readDeclaredType(id),
      keepCompanion: () => attack.keepCompanion(id, 'x', resource('x', '', { bytes: randomBytes(20_000) })),
      readDocument: () => attack.readDocument(id),
      readText: () => attack.readText(id),
      readTranscript: () => attack.readTranscript(id),
      claimJobs: () => attack.claimJobs(60_000, 4),
      renewLease: () => attack.renewLease(held, 60_000),
      releaseJob: () => attack.releaseJob(held),
      failJob: () => attack.failJob(held, failure),
      reprocess: () => attack.reprocess('extract'),
      nextJobDueAt: () => attack.nextJobDueAt(),
      nextLeaseEndsAt: () => attack.nextLeaseEndsAt(),
      countJobs: () => attack.countJobs(),
      listFailed: () => attack.listFailed(),
      settleWork: () => attack.settleWork(1),
      hasMaintenance: () => attack.hasMaintenance(),
      maintain: () => attack.maintain(),
      keepOriginalAndRelease: () => attack.keepOriginalAndRelease(held, resource('x', 'x')),
      keepDocument: () => attack.keepDocument({ ...held, stage: 'extract' }, documentOf(), transcriptOf('x')),
      keepPassages: () => attack.keepPassages({ ...held, stage: 'split' }, documentId, []),
      keepReadingAndRelease: () => {
        const reading = {
          document: documentOf(),
          transcript: transcriptOf('x'),
          passages: [],
          wordCount: 1,
          fingerprint: null,
        };
        return attack.keepReadingAndRelease({ ...held, stage: 'extract' }, reading, 'embed');
      },
      keepSamePage: () => attack.keepSamePage({ ...held, stage: 'fetch' }, null, undefined),
      keepChangedPage: () =>
        attack.keepChangedPage({ ...held, stage: 'fetch' }, resource('x', 'x'), [], {
          document: documentOf(),
          transcript: transcriptOf('x'),
          validators: undefined,
        }),
      refreshPages: () => attack.refreshPages([id], { isBackground: false }),
      readKnownPage: () => attack.readKnownPage(id),
      listVersions: () => attack.listVersions(id),
      readVersion: () => attack.readVersion(id, 1),
      restoreVersion: () => attack.restoreVersion(id, 1),
      finishEmbedding: () => attack.finishEmbedding({ ...held, stage: 'embed' }),
      keepAnalysis: () => attack.keepAnalysis({ ...held, stage: 'analyse' }, documentId, analysisOf(text)),
      beginRequest: () => attack.beginRequest(`${marker} key`, 'fingerprint'),
      endRequest: () => attack.endRequest(`${marker} key`, null),
      claimAnalysis: () => attack.claimAnalysis(60_000, { contentId: id, includeRetryable: true }),
      renewAnalysis: () => attack.renewAnalysis(analysis, 60_000),
      endAnalysis: () => attack.endAnalysis(analysis, { code: 'x', message: 'x', nextAttemptAt: null, attempts: 1 }),
      keepLlmAnalysis: () => attack.keepLlmAnalysis(analysis, documentId, analysisOf(text)),
      listAnalysed: () => attack.listAnalysed(0, 100),
      renewExtractiveAnalysis: () => attack.renewExtractiveAnalysis(id, documentId, analysisOf(text), 0),
      countLlmAnalyses: () => attack.countLlmAnalyses(),
      listActions: () => attack.listActions({ offset: 0 }),
      countActionsByGoal: () => attack.countActionsByGoal(0),
      countActions: () => attack.countActions('2026-01-01'),
      addAction: () => attack.addAction({ contentId: action!.contentId, title: 'Theirs' }),
      updateAction: () => attack.updateAction(action!.id, { state: 'done' }),
      listGoals: () => attack.listGoals({ offset: 0 }),
      addGoal: () => attack.addGoal({ title: `${marker} health`, category: 'Wealth' }),
      updateGoal: () => attack.updateGoal(goal!.id, { title: 'mine' }),
      goalsVersion: () => attack.goalsVersion(),
      listLinksDue: () => attack.listLinksDue(100),
      keepGoalLinks: () => attack.keepGoalLinks(1, [{ of: { actionId: action!.id }, goalId: null, reason: 'x' }]),
      listNotesDue: () => attack.listNotesDue(100),
      keepNoteTasks: () =>
        attack.keepNoteTasks({ contentId: id, updatedAt: 1 }, [
          { title: 'Theirs', quote: 'Theirs', due: null, priority: 'normal' },
        ]),
      listHighlights: () => attack.listHighlights({ offset: 0 }),
      getHighlight: () => attack.getHighlight(highlight!.id),
      addHighlight: () => attack.addHighlight({ contentId: id, quote: 'x' }),
      updateHighlight: () => attack.updateHighlight(highlight!.id, { note: 'mine' }),
      deleteHighlight: () => attack.deleteHighlight(highlight!.id),
      nextHighlightsToPlace: () => attack.nextHighlightsToPlace(100, undefined),
      keepHighlightPlaces: () =>
        attack.keepHighlightPlaces(id, documentId, [{ id: highlight!.id, quote: marker, place: null }]),
      listHistory: () => attack.listHistory({ scopes, limit: 100, offset: 0 }),
      needsOfChange: () => attack.needsOfChange(change!.id),
      undo: () => attack.undo(change!.id, { force: true }),
      listToExport: () => attack.listToExport(0, 100),
      stateToExport: () => attack.stateToExport(),
      readToExport: () => attack.readToExport(id),
      listGoalsToExport: () => attack.listGoalsToExport(),
      readHistoryToExport: () => attack.readHistoryToExport({ after: null, since: 0, limit: 100 }),
      restoreHistory: () => attack.restoreHistory(entries),
      restoreGoals: () => attack.restoreGoals([{ ...exported.goal, id: newId('g'), title: 'mine' }]),
      restoreItem: () => attack.restoreItem({ ...exported.item, updatedAt: 1e15 }, []),
      restoreItems: () => attack.restoreItems([{ item: { ...exported.item, updatedAt: 1e15 }, originals: [] }]),
      restoreMerges: () => attack.restoreMerges([{ id: action!.id, into: action!.id }]),
      askIndex: () => indexMethodsOf(attack).findItems(search),
      locate: () => indexMethodsOf(attack).locate([{ passageId, start: 0, end: 1 }]),
      searchWords: () => attack.searchWords(marker, {}, 10),
      resolveFilter: () => attack.resolveFilter({ has: 'note' }),
      itemsWithWords: () => attack.itemsWithWords([marker]),
      searchVectors: () => attack.searchVectors('e', Float32Array.of(1, 0), {}, 10),
      readPassages: () => attack.readPassages([passageId]),
      sampleItem: () => attack.sampleItem(id, 'e', 10),
      listNamesLike: () => attack.listNamesLike(marker, 10),
      listPassagesToEmbed: () => attack.listPassagesToEmbed('other', 10),
      keepVectors: () => attack.keepVectors('e', [{ passageId, vector: Float32Array.of(0, 1) }]),
      countVectors: () => attack.countVectors('e'),
      listEmbedders: () => attack.listEmbedders(),
      rememberQuery: () => attack.rememberQuery(`${marker} mine`),
      listPastQueries: () => attack.listPastQueries(),
      forgetQueries: () => attack.forgetQueries(),
      listSources: () => attack.listSources(),
      getSource: () => attack.getSource(marker),
      addSource: () => attack.addSource({ kind: 'feed', address: 'https://b.example/', name: 'mine' }).then(() => null),
      updateSource: () => attack.updateSource(marker, { state: 'paused' }),
      deleteSource: () => attack.deleteSource(marker),
      askSource: () => attack.askSource(marker),
      nextSourceDueAt: () => attack.nextSourceDueAt().then(() => null),
      claimSource: () => attack.claimSource(1, { kinds: ['mailbox'] }),
      renewSource: () => attack.renewSource(sourceClaim, 1),
      endSourceCheck: () => attack.endSourceCheck(sourceClaim, null),
      listSourceEntries: () => attack.listSourceEntries(marker, { limit: 9 }),
      listLinked: () => attack.listLinked(marker, 9),
      countSourceEntries: () => attack.countSourceEntries(marker),
      findSourceEntries: () => attack.findSourceEntries(marker, [marker]),
      findUntouchedItems: () => attack.findUntouchedItems(marker, { keep: 0, before: null, tags: [], limit: 9 }),
      keepSourceEntries: () => attack.keepSourceEntries(sourceClaim, []),
      noteOpenedEntry: () => attack.noteOpenedEntry(marker, marker, id),
      removeSourceEntries: () => attack.removeSourceEntries(sourceClaim, [marker]),
    };

    for (const [method, run] of Object.entries(attacks)) {
      const answer = await run().catch((error: unknown) => (error instanceof Error ? 'refused' : error));
      const shown = JSON.stringify(answer) ?? '';
      expect(shown, method).not.toContain(marker);
      expect(shown, method).not.toContain(id);
      // Counts of what is there would tell, too.
      expect(emptyAnswers, `${method} answered ${shown}`).toContainEqual(answer);
    }
    expect(await dump()).toEqual(before);
    expect(objects.objects).toEqual(objectsBefore);
  });

  const nothingFound = {
    correction: null,
    items: [],
    first: null,
    total: 0,
    isUpperBound: false,
    bestByWords: 0,
    bestByMeaning: 0,
    bestScore: 0,
    spellings: [],
    lacksRareWord: false,
    isCut: false,
    coverage: { searchable: 0, pending: 0, failed: 0 },
  };

  /** What methods answer when there is nothing. */
  const emptyAnswers = [
    'refused',
    undefined,
    null,
    false,
    0,
    // The state of a library to export that has no items.
    '0.',
    [],
    { items: [], total: 0 },
    { items: [] },
    // itemsWithWords: no item has the only word.
    [[]],
    // settleWork: nothing is left to do in an account of which nothing is seen.
    true,
    { tags: [], items: [] },
    { shelves: { inbox: 0, later: 0, archive: 0 }, unread: 0 },
    { searchable: 0, pending: 0, failed: 0 },
    { waiting: 0, running: 0, background: 0, oldestDueAt: null, failed: {} },
    { waiting: 0, claimed: 0, failed: 0, failures: [], delays: [] },
    { goalsVersion: 0, due: [], goals: [] },
    { entries: [], next: null },
    { passages: 0, embedded: 0 },
    { titles: [], tags: [], headings: [] },
    [null],
    nothingFound,
  ];
});

describe('row-level security', () => {
  const countIn = async (sql: Pool, account: string | null): Promise<number[]> =>
    sql.begin(async (tx) => {
      if (account !== null) await tx`SELECT set_config('app.account', ${account}, true)`;
      const counts = [];
      for (const table of libraryTables) {
        const [row] = await tx<{ count: number }[]>`
          SELECT count(*) FROM ${tx(table)} WHERE account_id <> ${account ?? ''}`;
        counts.push(row?.count ?? -1);
      }
      return counts;
    });
  const none = libraryTables.map(() => 0);

  it('covers every table with rows of an account, and every one of them has some in this test', async () => {
    const tables = await admin<{ name: string; forced: boolean }[]>`
      SELECT c.relname AS name, c.relforcerowsecurity AND c.relrowsecurity AS forced FROM pg_class c
      WHERE c.relnamespace = 'public'::regnamespace AND c.relkind = 'r' AND EXISTS (
        SELECT 1 FROM pg_policy p WHERE p.polrelid = c.oid)`;
    expect(tables.map(({ name }) => name).toSorted()).toEqual([...libraryTables].toSorted());
    expect(tables.every(({ forced }) => forced)).toBe(true);
    expect(await countIn(admin, attacker)).not.toContain(0);
    // Every key begins with the account, so that tables can be distributed by it.
    const keys = await admin<{ name: string }[]>`
      SELECT i.indexrelid::regclass::text AS name FROM pg_index i
        JOIN pg_attribute a ON a.attrelid = i.indrelid AND a.attnum = i.indkey[0]
        JOIN pg_class c ON c.oid = i.indrelid
      WHERE c.relname = ANY(${[...libraryTables]}) AND a.attname <> 'account_id'`;
    expect([...keys]).toEqual([]);
  });

  it('shows a transaction the account that it names, and nothing without one', async () => {
    expect(await countIn(app, attacker)).toEqual(none);
    expect(await countIn(app, null)).toEqual(none);
    // Two connections, each of which has served other accounts.
    expect(await Promise.all([countIn(app, null), countIn(app, null)])).toEqual([none, none]);
  });

  it('applies to the owner of the tables, too', async () => {
    const owner = connect({ url: database.ownerUrl, maxConnections: 1 });
    try {
      expect(await countIn(owner, attacker)).toEqual(none);
    } finally {
      await owner.end();
    }
  });

  it('lets nobody write for another account or switch it off', async () => {
    const as = (work: (sql: Parameters<Parameters<Pool['begin']>[1]>[0]) => Promise<unknown>) =>
      app.begin(async (tx) => {
        await tx`SELECT set_config('app.account', ${attacker}, true)`;
        return work(tx as never);
      });
    const denied = { code: '42501' };
    const insert = as(
      (tx) => tx`
      INSERT INTO goals (account_id, id, title, category, created_at) VALUES (${victim.account}, 'g', 't', 'Health', 0)`,
    );
    await expect(insert).rejects.toMatchObject(denied);
    await expect(as((tx) => tx`UPDATE goals SET account_id = ${victim.account}`)).rejects.toMatchObject(denied);
    for (const statement of [
      'ALTER TABLE items DISABLE ROW LEVEL SECURITY',
      'DROP POLICY own_account ON items',
      'SET LOCAL ROLE owner',
      'CREATE TABLE mine (a integer)',
      'TRUNCATE items CASCADE',
      'UPDATE schema_version SET version = 0',
    ])
      await expect(
        as((tx) => tx.unsafe(statement)),
        statement,
      ).rejects.toMatchObject(denied);
  });
});

describe('a removed account', () => {
  it('leaves no row, and refuses writes under way', async () => {
    const { id } = await stores.control.createAccount({ name: 'third', plan: 'free' });
    const store = await stores.open(id);
    await fill(id);
    const saves = Array.from({ length: 10 }, (_, at) => store.saveContent(saving(`https://d.example/${at}`)));
    const [removal, ...outcomes] = await Promise.allSettled([stores.removeAccount(id), ...saves]);
    expect(removal?.status).toBe('fulfilled');
    const refusals = outcomes.flatMap((outcome) => (outcome.status === 'rejected' ? [outcome.reason as unknown] : []));
    expect(refusals).toEqual(refusals.map(() => expect.objectContaining({ code: 'not_found' }) as unknown));
    await expect(store.saveContent(saving('https://e.example/'))).rejects.toMatchObject({ code: 'not_found' });
    for (const table of libraryTables) {
      const rows = await admin`SELECT 1 FROM ${admin(table)} WHERE account_id = ${id}`;
      expect(rows.length, table).toBe(0);
    }
    expect((await admin`SELECT 1 FROM accounts WHERE id = ${id} AND name = '' AND NOT rows_due`).length).toBe(1);
  });

  it('is gone after an interrupted removal, too', async () => {
    const { id } = await stores.control.createAccount({ name: 'fourth', plan: 'free' });
    await fill(id);
    await admin`UPDATE accounts SET removed_at = 0, rows_due = true WHERE id = ${id}`;
    await stores.removeExpiredAccounts();
    expect((await admin`SELECT 1 FROM items WHERE account_id = ${id}`).length).toBe(0);
  });
});
