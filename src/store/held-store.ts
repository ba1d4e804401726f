import type { HeldTo } from '../domain/access/held.ts';
import type { ActionItem } from '../domain/records/analyses/action.ts';
import type { ContentItem, ContentSummary, Insight } from '../domain/records/content.ts';
import type { ItemList } from '../domain/records/list.ts';
import { foldTag } from '../domain/records/item.ts';
import { anyOf, type Filter, listsIn, replaced, namesList } from '../domain/search/filter.ts';
import { AppError, noSuchList } from '../errors.ts';
import type { Store } from './store.ts';

type Name = Exclude<keyof Store, 'accountId' | 'close'>;

export function heldRefusal(what: string): AppError {
  return new AppError(
    'insufficient_scope',
    `This token or key is restricted to some lists or tags, and ${what}. Use one that is not restricted.`,
  );
}

const ofGoals = 'goals belong to the whole library';
const ofHistory = 'the history is that of the whole library';
const ofLists = 'lists belong to the whole library';
const ofSources = 'sources belong to the whole library';
const ofTransfer = 'exports and imports are of the whole library';
const ofAnalyses = 'the queue of analyses is that of the whole library';
/** For the program itself, which is never held. */
const ofWork = 'this is work on the whole library';

const refused = [
  [ofGoals, 'countActionsByGoal countActions listGoals addGoal updateGoal goalsVersion listLinksDue keepGoalLinks'],
  [ofHistory, 'listHistory needsOfChange undo'],
  [ofLists, 'addList updateList editList deleteList'],
  [ofSources, 'listSources getSource addSource updateSource deleteSource askSource listSourceEntries'],
  [ofSources, 'countSourceEntries findSourceEntries findUntouchedItems noteOpenedEntry'],
  [ofTransfer, 'importContent listToExport stateToExport readToExport listGoalsToExport listListsToExport'],
  [ofTransfer, 'listSourcesToExport readHistoryToExport restoreHistory restoreGoals restoreLists restoreSources'],
  [ofTransfer, 'restoreItem restoreItems restoreMerges'],
  [ofAnalyses, 'claimAnalysis renewAnalysis endAnalysis keepLlmAnalysis countLlmAnalyses listAnalysed'],
  [ofAnalyses, 'renewExtractiveAnalysis'],
  [ofWork, 'expireDeleted purgeExpired findHeld listHeld countHeldVectors listHeldLists'],
  [ofWork, 'listEmptyHeldLists keepCompanion listNotesDue keepNoteTasks itemsWithWords listPassagesToEmbed'],
  [ofWork, 'keepVectors readKnownPage claimJobs renewLease releaseJob failJob reprocess nextJobDueAt'],
  [ofWork, 'nextLeaseEndsAt settleWork hasMaintenance maintain countJobs listFailed keepOriginalAndRelease'],
  [ofWork, 'keepSamePage keepChangedPage keepDocument keepPassages keepReadingAndRelease finishEmbedding'],
  [ofWork, 'keepAnalysis nextSourceDueAt claimSource renewSource endSourceCheck keepSourceEntries'],
  [ofWork, 'removeSourceEntries'],
  ['a tag is renamed on all items', 'renameTag'],
  ['what leaves a list may leave what it knows', 'removeFromList'],
  ['past queries are those of the whole library', 'forgetQueries'],
] as const;

/** Methods whose first argument is an id, and those whose argument is a query with `held`. */
const byId = [
  'getContent getContentSummary deleteContent getContentVersion restoreContent readOriginal readDeclaredType',
  'readDocument listVersions readVersion readTranscript readText getHighlight updateHighlight deleteHighlight',
] as const;
const byQuery = ['listContent listTitles listTags listHighlights'] as const;

type Words<Text extends string> = Text extends `${infer First} ${infer Rest}` ? First | Words<Rest> : Text;
type Listed = Words<(typeof refused)[number][1] | (typeof byId)[number] | (typeof byQuery)[number]>;
/** How a held caller is answered. A method of the store that is neither here nor listed above does not compile. */
type Held = { readonly [N in Exclude<Name, Listed>]: (store: Store, held: HeldTo) => Store[N] };

async function isKnown(store: Store, held: HeldTo, id: string): Promise<boolean> {
  return (await store.findHeld([id], held)).length > 0;
}

/** Of methods whose first argument is an id: an id that the caller does not know has the answer of one that never was. */
const ofId =
  <N extends Name>(name: N, otherwise: unknown = null) =>
  (store: Store, held: HeldTo): Store[N] => {
    const answer = async (id: string, ...rest: unknown[]): Promise<unknown> =>
      (await isKnown(store, held, id)) ? shown(store, held, await call(store, name, id, ...rest)) : otherwise;
    return answer as never;
  };

const nothing: Filter = { items: [] };

/**
 * A filter in which a restricted caller names only its own lists, and no goals.
 * @throws {AppError} `invalid_input` for another list
 */
async function knownFilter<F extends Filter | null | undefined>(store: Store, held: HeldTo, filter: F): Promise<F> {
  if (!filter) return filter;
  const lists = listsIn(filter).length === 0 ? [] : await store.listHeldLists(held);
  return replaced(filter, (leaf) => {
    if ('goal' in leaf) return nothing;
    if (!('list' in leaf)) return null;
    const found = lists.filter((list) => namesList(leaf.list, list));
    if (found.length === 0 && !leaf.list.endsWith('*')) throw noSuchList(leaf.list);
    return anyOf(found.map(({ id }) => ({ list: id }))) ?? nothing;
  }) as F;
}

/** Of methods whose first argument is a query with `held`, and it may be with a filter. */
const narrowed =
  <N extends Name>(name: N) =>
  (store: Store, held: HeldTo): Store[N] => {
    const answer = async ({ filter, ...query }: { filter?: Filter | null }): Promise<unknown> => {
      const known = await knownFilter(store, held, filter);
      return shown(store, held, await call(store, name, { ...query, ...(known && { filter: known }), held }));
    };
    return answer as never;
  };

function call(store: Store, name: Name, ...args: unknown[]): Promise<unknown> {
  return (store[name] as (...all: unknown[]) => Promise<unknown>)(...args);
}

type Shown = Partial<
  Pick<ContentItem, 'id' | 'duplicateOf' | 'lists' | 'proposedTags'> & Pick<ActionItem, 'alsoIn' | 'alsoInTotal'>
> & {
  items?: unknown[];
  actions?: ActionItem[];
  keyInsights?: Insight[];
};

/** The lists that the caller is restricted to, by id or name; others do not exist for it. */
async function knownList(store: Store, held: HeldTo, named: string): Promise<string | null> {
  const known = await store.listHeldLists(held);
  return known.find(({ id, name }) => id === named || foldTag(name) === foldTag(named))?.id ?? null;
}

/** A query names tags and lists of others. That there is one is known, so that what it finds is counted. */
const withoutQuery = (list: ItemList): ItemList => ({ ...list, query: list.query === null ? null : '' });

/** An answer without what it says of other items, of goals and of other lists. */
async function shown(store: Store, held: HeldTo, answer: unknown): Promise<unknown> {
  if (typeof answer !== 'object' || answer === null || Array.isArray(answer)) return answer;
  const { items } = answer as Shown;
  if (items !== undefined)
    return { ...answer, items: await Promise.all(items.map((item) => shown(store, held, item))) };
  const own = withoutGoal(answer as Shown);
  const { id, duplicateOf, actions, keyInsights, alsoIn } = own;
  own.lists = own.lists?.filter((list) => held.lists.includes(list.id));
  if (own.lists === undefined || own.lists.length === 0) delete own.lists;
  // They are tags of other items.
  delete own.proposedTags;
  if (typeof duplicateOf === 'string' && !(await isKnown(store, held, duplicateOf))) own.duplicateOf = null;
  if (keyInsights !== undefined) own.keyInsights = keyInsights.map(withoutGoal);
  if (actions !== undefined && id !== undefined) own.actions = await actionsOf(store, held, id);
  if (alsoIn !== undefined) {
    const ids = alsoIn.map(({ contentId }) => contentId);
    const known = new Set(await store.findHeld(ids, held));
    const sources = alsoIn.filter(({ contentId }) => known.has(contentId));
    delete own.alsoInTotal;
    if (sources.length === 0) delete own.alsoIn;
    else own.alsoIn = sources;
  }
  return own;
}

/** Of an action item, which always has the fields, and of an insight, which has them where it serves a goal. */
function withoutGoal<T extends object>(of: T): T {
  const own: T & { goalId?: unknown; goalReason?: unknown } = { ...of };
  if ('state' in of && 'goalId' in of) return { ...own, goalId: null, goalReason: null };
  delete own.goalId;
  delete own.goalReason;
  return own;
}

/** An item shows actions merged into those of other items as its own. */
async function actionsOf(store: Store, held: HeldTo, contentId: string): Promise<ActionItem[]> {
  const { items } = await store.listActions({ contentId, order: 'item', offset: 0, held });
  return Promise.all(items.map((action) => shown(store, held, action) as Promise<ActionItem>));
}

function refuseGoal({ goalId }: { goalId?: unknown }): void {
  if (goalId !== undefined) throw heldRefusal(ofGoals);
}

/** With the lists above, the complete set of methods for a restricted caller. */
const methods: Held = {
  saveContent: (store, held) => async (input) => {
    const { item, ...saved } = await store.saveContent({ ...input, held });
    return { ...saved, item: (await shown(store, held, item)) as typeof item };
  },
  findByAddress: (store, held) => (address) => store.findByAddress(address, held),
  countKinds: (store, held) => () => store.countKinds(held),
  countItems: (store, held) => () => store.countItems(held),
  listNames: (store, held) => (limit) => store.listNames(limit, held),
  listLists: (store, held) => async () =>
    (await store.listLists()).filter(({ id }) => held.lists.includes(id)).map(withoutQuery),
  getList: (store, held) => async (named) => {
    const id = await knownList(store, held, named);
    const list = id === null ? null : await store.getList(id);
    return list && withoutQuery(list);
  },
  // Only what the caller knows: in its list it would know any item.
  addToList: (store, held) => async (named, contentIds, position) => {
    const id = await knownList(store, held, named);
    if (id === null) return null;
    const known = new Set(await store.findHeld(contentIds, held));
    const added = await store.addToList(
      id,
      contentIds.filter((one) => known.has(one)),
      position,
    );
    return added && { ...added, missing: contentIds.filter((one) => !known.has(one) || added.missing.includes(one)) };
  },
  retryContent: ofId('retryContent', false),
  updateContent: (store, held) => async (id, changes) => {
    if (!(await isKnown(store, held, id))) return null;
    return (await shown(store, held, await store.updateContent(id, { ...changes, held }))) as ContentSummary | null;
  },
  keepReading: ofId('keepReading', false),
  coverage: (store, held) => () => store.coverage(held),

  restoreVersion: ofId('restoreVersion', false),

  // Goals neither choose nor order them.
  listActions:
    (store, held) =>
    async ({ goalId, order = 'goal', ...query }) =>
      typeof goalId === 'string'
        ? { items: [], total: 0 }
        : narrowed('listActions')(store, held)({ ...query, order: order === 'goal' ? 'item' : order }),
  updateAction: (store, held) => async (id, changes) => {
    refuseGoal(changes);
    if (!(await isKnown(store, held, id))) return null;
    return (await shown(store, held, await store.updateAction(id, changes, held))) as ActionItem | null;
  },
  addAction: (store, held) => async (added) => {
    refuseGoal(added);
    if (!(await isKnown(store, held, added.contentId))) return null;
    return (await shown(store, held, await store.addAction(added))) as ActionItem | null;
  },

  addHighlight: (store, held) => async (highlight) =>
    (await isKnown(store, held, highlight.contentId)) ? store.addHighlight(highlight) : null,
  nextHighlightsToPlace:
    (store, held) =>
    async (limit, contentId = '') =>
      (await isKnown(store, held, contentId)) ? store.nextHighlightsToPlace(limit, contentId) : null,
  keepHighlightPlaces: ofId('keepHighlightPlaces', undefined),

  askIndex:
    (store, held) =>
    async (method, argument, vectors = []) =>
      store.askIndex(method, argument, vectors, await store.listHeld(held)),
  resolveFilter: (store, held) => async (filter) => store.resolveFilter(await knownFilter(store, held, filter)),
  searchWords: (store, held) => async (query, filter, limit) =>
    store.searchWords(query, { ...filter, known: await store.listHeld(held) }, limit),
  searchVectors: (store, held) => async (embedderId, query, filter, limit) =>
    store.searchVectors(embedderId, query, { ...filter, known: await store.listHeld(held) }, limit),
  readPassages: (store, held) => async (passageIds) => {
    const found = await store.readPassages(passageIds);
    const ids = found.flatMap(({ contentId, itemDuplicateOf }) => [contentId, itemDuplicateOf ?? contentId]);
    const known = new Set(await store.findHeld(ids, held));
    return found
      .filter(({ contentId }) => known.has(contentId))
      .map((passage) => (known.has(passage.itemDuplicateOf ?? '') ? passage : { ...passage, itemDuplicateOf: null }));
  },
  sampleItem: ofId('sampleItem', []),
  countVectors: (store, held) => (_embedderId, languages) => store.countHeldVectors(languages ?? null, held),
  listEmbedders: (store) => () => store.listEmbedders(),
  listNamesLike: (store, held) => async (typed, limit) => store.listNamesLike(typed, limit, await store.listHeld(held)),
  // Past queries are suggested to others, and theirs are not suggested here.
  rememberQuery: () => () => Promise.resolve(),
  listPastQueries: () => () => Promise.resolve([]),

  refreshPages: (store, held) => async (ids, options) => {
    const known = new Set(await store.findHeld(ids, held));
    const asked = await store.refreshPages(
      ids.filter((id) => known.has(id)),
      options,
    );
    return ids.map((id) => asked.find((one) => one.id === id) ?? { id, outcome: 'not_found' });
  },
  listLinked: ofId('listLinked', []),
  // The key names the token.
  beginRequest: (store) => (key, fingerprint) => store.beginRequest(key, fingerprint),
  endRequest: (store) => (key, answer) => store.endRequest(key, answer),
};

/**
 * The store of a restricted caller: it answers about the items that the caller may see, and refuses what cannot be limited to them.
 * @param accountId the account name, which contains the restriction
 */
export function createHeldStore(store: Store, held: HeldTo, accountId: string): Store {
  const named = (lists: readonly string[], method: (name: Name) => unknown) =>
    lists.flatMap((names) => names.split(' ').map((name) => [name, method(name as Name)] as const));
  // A method listed in several tables is refused.
  const made = Object.fromEntries([
    ...named(byId, (name) => ofId(name)(store, held)),
    ...named(byQuery, (name) => narrowed(name)(store, held)),
    ...Object.entries(methods).map(([name, method]) => [name, method(store, held)] as const),
    ...refused.flatMap(([why, names]) => named([names], () => () => Promise.reject(heldRefusal(why)))),
  ]) as Omit<Store, 'accountId' | 'close'>;
  return { ...made, accountId, close: () => store.close() };
}
