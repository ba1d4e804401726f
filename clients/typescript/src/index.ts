import { ProcessingFailedError } from './problems.ts';
import {
  pause,
  Requests,
  type CallOptions,
  type ChangeOptions,
  type ClientOptions,
  type Request,
  type WriteOptions,
} from './requests.ts';
import type * as api from './types.ts';

export { CommonplaceError, ProcessingFailedError } from './problems.ts';
export type { CallOptions, ChangeOptions, ClientOptions, WriteOptions } from './requests.ts';
export type * from './types.ts';

/** An item with the ETag that `ifMatch` takes. */
export type TaggedItem = api.ContentItem & { etag: string };

/** An item as a change left it, with the id that takes the change back. */
export type ChangedItem = TaggedItem & { undo?: string | undefined };

/** One page of a list. */
interface Page<Item> {
  items: Item[];
  total: number;
  nextCursor?: string | undefined;
}

/** A list that is read page by page while it is walked: `for await (const item of client.content.list())`. */
export interface List<Item> extends AsyncIterable<Item> {
  pages(): AsyncIterable<Page<Item>>;
}

export interface WaitOptions extends CallOptions {
  /** Longest wait in milliseconds. Default 120,000. */
  timeoutMs?: number;
  /** Pause between two looks, in milliseconds. Default 1,000. */
  intervalMs?: number;
  /** Called with every state that was read. */
  onProgress?: (item: TaggedItem) => void;
}

type Filters<Input> = Omit<Input, 'cursor'>;

const segment = encodeURIComponent;

/**
 * A client for `/api/v1` of a Commonplace server, which its setting `apiV1` switches on. Methods throw `CommonplaceError` when the
 * server refuses. A token that may write and not read gets only ids and states, whatever the types say.
 */
export class Commonplace {
  readonly #requests: Requests;

  /** @throws {TypeError} when `baseUrl` is no address */
  constructor(options: ClientOptions) {
    this.#requests = new Requests(options);
  }

  /** What was saved. */
  readonly content = {
    /** Saves a page by its `url`, or a note of `title` and `text`. It is read in the background. */
    save: (input: api.SaveContentInput, options?: WriteOptions): Promise<api.SaveContentAnswer> =>
      this.#post('/content', input, options),
    get: async (id: string, options?: CallOptions): Promise<TaggedItem> =>
      tagged(await this.#requests.send({ method: 'GET', path: `/content/${segment(id)}`, ...options })),
    /** Newest first. What is saved or deleted during the walk moves no item to another page. */
    list: (input: Filters<api.ListContentInput> = {}, options?: CallOptions): List<api.ContentSummary> =>
      this.#list('/content', input, options),
    /** Changes what is given; an empty text or list clears. */
    update: async (id: string, input: api.UpdateContentInput, options?: ChangeOptions): Promise<ChangedItem> =>
      tagged(await this.#change('PUT', `/content/${segment(id)}`, input, options)),
    /** Moves it to the trash for 30 days. */
    delete: async (id: string, options?: ChangeOptions): Promise<api.DeleteContentAnswer> =>
      (await this.#change<api.DeleteContentAnswer>('DELETE', `/content/${segment(id)}`, undefined, options)).data,
    restore: (id: string, options?: WriteOptions): Promise<api.ContentSummary> =>
      this.#post(`/content/${segment(id)}/restore`, undefined, options),
    /** The same change on up to 100 items. The answer says which were changed. */
    changeMany: (input: api.UpdateContentsInput, options?: WriteOptions): Promise<api.UpdateContentsAnswer> =>
      this.#post('/content/changes', input, options),
    /**
     * Waits until the item can be found and has its summary.
     * @throws {ProcessingFailedError} when it could not be processed; `TimeoutError` when that takes too long
     */
    waitUntilProcessed: (id: string, options?: WaitOptions): Promise<TaggedItem> => this.#waitFor(id, options),
    /** Items with passages close to those of this one. */
    related: (id: string, input: api.RelatedInput = {}, options?: CallOptions): Promise<api.RelatedAnswer> =>
      this.#get(`/related/${segment(id)}`, input, options),
  };

  /** Searches everything that was saved, by meaning and by words. */
  search(input: api.SearchInput, options?: CallOptions): Promise<api.SearchAnswer> {
    return this.#post('/search', input, options);
  }

  /** Completes what is being typed. */
  suggest(input: api.SuggestInput, options?: CallOptions): Promise<api.SuggestAnswer> {
    return this.#get('/search/suggestions', input, options);
  }

  /** Forgets the questions that were kept for suggestions. */
  async forgetQueries(options?: CallOptions): Promise<api.ForgetQueriesAnswer> {
    return (await this.#change<api.ForgetQueriesAnswer>('DELETE', '/search/suggestions', undefined, options)).data;
  }

  /** Things to do that saved items ask for. */
  readonly actions = {
    list: (input: Filters<api.ListActionsInput> = {}, options?: CallOptions): List<api.ActionItem> =>
      this.#list('/actions', input, options),
    /** Those that are neither done nor dismissed. */
    pending: (input: Filters<api.ListPendingActionsInput> = {}, options?: CallOptions): List<api.ActionItem> =>
      this.#list('/actions/pending', input, options),
    complete: (id: string, options?: WriteOptions): Promise<api.ActionItem> =>
      this.#post(`/actions/${segment(id)}/complete`, undefined, options),
    update: async (id: string, input: api.UpdateActionInput, options?: CallOptions): Promise<api.ActionItem> =>
      (await this.#change<api.ActionItem>('PUT', `/actions/${segment(id)}`, input, options)).data,
  };

  /** What the user wants to reach. */
  readonly goals = {
    list: (input: Filters<api.ListGoalsInput> = {}, options?: CallOptions): List<api.Goal> =>
      this.#list('/goals', input, options),
    add: (input: api.AddGoalInput, options?: WriteOptions): Promise<api.Goal> => this.#post('/goals', input, options),
    update: async (id: string, input: api.UpdateGoalInput, options?: CallOptions): Promise<api.Goal> =>
      (await this.#change<api.Goal>('PUT', `/goals/${segment(id)}`, input, options)).data,
    actions: (id: string, input: Filters<api.ListGoalActionsInput> = {}, options?: CallOptions): List<api.ActionItem> =>
      this.#list(`/goals/${segment(id)}/actions`, input, options),
  };

  readonly tags = {
    /** Most used first. */
    list: (input: Filters<api.ListTagsInput> = {}, options?: CallOptions): List<{ tag: string; count: number }> =>
      this.#list('/tags', input, options),
    /** On all items. When items have the new tag already, the two become one. */
    rename: (input: api.RenameTagInput, options?: WriteOptions): Promise<api.RenameTagAnswer> =>
      this.#post('/tags/rename', input, options),
  };

  /** Words that were marked in saved items. */
  readonly highlights = {
    list: (
      input: Filters<api.ListHighlightsInput> = {},
      options?: CallOptions,
    ): List<api.ListHighlightsAnswer['items'][number]> => this.#list('/highlights', input, options),
    add: (input: api.AddHighlightInput, options?: WriteOptions): Promise<api.AddHighlightAnswer> =>
      this.#post('/highlights', input, options),
    update: async (
      id: string,
      input: api.UpdateHighlightInput,
      options?: CallOptions,
    ): Promise<api.UpdateHighlightAnswer> =>
      (await this.#change<api.UpdateHighlightAnswer>('PUT', `/highlights/${segment(id)}`, input, options)).data,
    delete: async (id: string, options?: CallOptions): Promise<api.DeleteHighlightAnswer> =>
      (await this.#change<api.DeleteHighlightAnswer>('DELETE', `/highlights/${segment(id)}`, undefined, options)).data,
  };

  /** What was changed, newest first. */
  history(input: Filters<api.HistoryInput> = {}, options?: CallOptions): List<api.HistoryAnswer['items'][number]> {
    return this.#list('/history', input, options);
  }

  /** Takes back a change, by the `undo` of its answer. When something was changed since, `outcome` says so and nothing is undone. */
  undo(id: string, input: api.UndoInput = {}, options?: WriteOptions): Promise<api.UndoAnswer> {
    return this.#post(`/history/${segment(id)}/undo`, input, options);
  }

  async #get<T>(path: string, query: object, options: CallOptions = {}): Promise<T> {
    return (await this.#requests.send<T>({ method: 'GET', path, query, ...options })).data;
  }

  async #post<T>(path: string, body: object | undefined, { signal, idempotencyKey }: WriteOptions = {}): Promise<T> {
    const headers = { 'Idempotency-Key': idempotencyKey ?? crypto.randomUUID() };
    return (await this.#requests.send<T>({ method: 'POST', path, body, headers, signal })).data;
  }

  #change<T>(method: Request['method'], path: string, body?: object, { signal, ifMatch }: ChangeOptions = {}) {
    const headers = ifMatch === undefined ? undefined : { 'If-Match': ifMatch };
    return this.#requests.send<T>({ method, path, body, headers, signal });
  }

  #list<Item>(path: string, input: object, options?: CallOptions): List<Item> {
    const read = (cursor?: string) => this.#get<Page<Item>>(path, { ...input, cursor }, options);
    const pages = async function* (): AsyncGenerator<Page<Item>> {
      let page = await read();
      yield page;
      while (page.nextCursor !== undefined) {
        page = await read(page.nextCursor);
        yield page;
      }
    };
    return {
      pages,
      async *[Symbol.asyncIterator]() {
        for await (const { items } of pages()) yield* items;
      },
    };
  }

  async #waitFor(id: string, options: WaitOptions = {}): Promise<TaggedItem> {
    const { timeoutMs = 120_000, intervalMs = 1_000, onProgress, signal } = options;
    const ending = AbortSignal.timeout(timeoutMs);
    const until = signal === undefined ? ending : AbortSignal.any([signal, ending]);
    for (;;) {
      const item = await this.content.get(id, { signal: until });
      onProgress?.(item);
      if (item.status === 'completed') return item;
      if (item.status === 'failed' && item.failure !== undefined && item.failure !== null)
        throw new ProcessingFailedError(id, item.failure);
      await pause(intervalMs, until);
    }
  }
}

function tagged({ data, etag }: { data: unknown; etag: string | null }): TaggedItem {
  return { ...(data as api.ContentItem), etag: etag ?? '' };
}
