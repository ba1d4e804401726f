import type { Config } from '../settings/config.ts';
import type { Clock } from '../domain/clock.ts';
import type { Log } from '../workers/log.ts';
import type { Embedder } from '../models/embedding/index.ts';
import type { Services } from '../operations/operation.ts';
import { placeHighlights } from '../pipeline/maintenance.ts';
import type { TextWorkerPool } from '../pipeline/text-worker/text-worker-pool.ts';
import type { RequestThread } from '../requests/request-thread.ts';
import { createActionsService } from '../services/analyses/actions.ts';
import { createAssistantAnalysisService } from '../services/analyses/assistant-analysis.ts';
import { createGoalsService } from '../services/analyses/goals.ts';
import { createReviewService } from '../services/analyses/review.ts';
import { createKeysService } from '../services/keys.ts';
import { createCompletionsService } from '../services/library/completions.ts';
import { createHighlightsService } from '../services/library/highlights.ts';
import { createHistoryService } from '../services/library/history.ts';
import { createLibraryService } from '../services/library/library.ts';
import { createListsService } from '../services/library/lists.ts';
import { createSourcesService, type FindFeeds } from '../services/library/sources.ts';
import { createRelatedService } from '../services/search/related.ts';
import { createPicturesService, type PictureSources } from '../services/library/pictures.ts';
import { createSearchService } from '../services/search/search.ts';
import { createSuggestionService } from '../services/search/suggestions.ts';
import type { Stores } from '../store/store.ts';
import type { createEmbedderFinder } from './choose-embedder.ts';
import { isSetFolder } from './folder-sources.ts';
import type { LibraryJobServices } from './transfers.ts';
import type { LlmAnalysis } from './open-llm-analysis.ts';
import type { Processing } from './processing.ts';

interface ServiceParts {
  stores: Stores;
  clock: Clock;
  log: Log;
  embedder: Embedder | null;
  findEmbedder: ReturnType<typeof createEmbedderFinder>['find'];
  /** Clients can ask again, so a search does not wait long for a model that is loading. */
  isServer: boolean;
  texts: TextWorkerPool;
  requests: RequestThread;
  processing: Processing;
  llmQueue: LlmAnalysis['queue'];
  libraryJobs: LibraryJobServices;
  pictures: PictureSources;
  findFeeds: FindFeeds;
}

/**
 * Loading the model takes a third of a second on a machine that is not busy. A model that was unloaded is waited for. The
 * first question after the start is answered at once, by words.
 */
const maxLoadingMs = { first: 40, later: 1_000 };

export function openServices(config: Config, parts: ServiceParts): Services {
  const {
    stores,
    clock,
    log,
    embedder,
    findEmbedder,
    isServer,
    texts,
    requests,
    processing,
    llmQueue,
    libraryJobs,
    pictures,
    findFeeds,
  } = parts;
  const wake = (): void => processing.wake();
  const library = createLibraryService(
    stores,
    clock,
    wake,
    requests.makeOriginal,
    async () => llmQueue?.whyWaiting() ?? null,
  );
  return {
    library,
    lists: createListsService(stores),
    sources: createSourcesService({
      stores,
      findFeeds,
      save: (writer, request) => library.save(writer, request, { signal: processing.background }),
      async settingOf({ kind, address }) {
        if (kind === 'mailbox' && address === config.mailbox) return 'mailbox';
        return kind === 'folder' && (await isSetFolder(address, config.watchFolders)) ? 'watchFolders' : null;
      },
      wake,
    }),
    search: createSearchService(stores, embedder, clock, log, {
      rememberQueries: config.rememberQueries,
      findEmbedder: findEmbedder,
      maxLoadingMs: isServer ? maxLoadingMs : undefined,
    }),
    pictures: createPicturesService(stores, clock, pictures),
    related: createRelatedService(stores, embedder),
    suggestions: createSuggestionService(stores),
    actions: createActionsService(stores, clock),
    goals: createGoalsService(stores, clock, wake),
    highlights: createHighlightsService(stores, (store, contentId) =>
      placeHighlights(store, texts.placeQuotes, processing.background, contentId),
    ),
    assistantAnalysis: createAssistantAnalysisService(stores, clock, texts),
    history: createHistoryService(stores, wake),
    imports: libraryJobs.importJobs,
    exports: libraryJobs.exportJobs,
    keys: createKeysService(stores, clock),
    completions: createCompletionsService(stores),
    review: createReviewService(stores, clock),
  };
}
