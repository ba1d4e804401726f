import { listOf, type Filters, type List } from './lists.ts';
import { ProcessingFailedError } from './problems.ts';
import {
  Requests,
  type CallOptions,
  type ChangeOptions,
  type ClientOptions,
  type Request,
  type WriteOptions,
} from './requests.ts';
import { Exports, Imports } from './transfers.ts';
import type * as api from './types.ts';
import { waitFor, type WaitOptions } from './waiting.ts';

export type { List } from './lists.ts';
export { CommonplaceError, JobEndedError, ProcessingFailedError } from './problems.ts';
export type { CallOptions, ChangeOptions, ClientOptions, WriteOptions } from './requests.ts';
export type { Download, Exports, Imports } from './transfers.ts';
export type { WaitOptions } from './waiting.ts';
export type * from './types.ts';

/** An item with the ETag that `ifMatch` takes. */
export type TaggedItem = api.ContentItem & { etag: string };

/** An item as a change left it, with the id that takes the change back. */
export type ChangedItem = TaggedItem & { undo?: string | undefined };

const segment = encodeURIComponent;

/**
 * A client for `/api/v1` of a Commonplace server, which its setting `apiV1` switches on. Methods throw `CommonplaceError` when the
 * server refuses. A token that may write and not read gets only ids and states, whatever the types say.
 */
export class Commonplace {
  readonly #requests: Requests;
  /** Imports of files. */
  readonly imports: Imports;
  /** Exports of the library. */
  readonly exports: Exports;

  /** @throws {TypeError} when `baseUrl` is no address */
  constructor(options: ClientOptions) {
    this.#requests = new Requests(options);
    this.imports = new Imports(this.#requests);
    this.exports = new Exports(this.#requests);
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
    waitUntilProcessed: (id: string, options: WaitOptions<TaggedItem> = {}): Promise<TaggedItem> =>
      waitFor((signal) => this.content.get(id, { signal }), isProcessed, options),
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

  /** Keys with permissions of their own. It takes a key with permissions for keys; a token has none. */
  readonly keys = {
    /** Newest first, tokens as well, without their secrets. */
    list: (input: Filters<api.ListKeysInput> = {}, options?: CallOptions): List<api.Key> =>
      this.#list('/keys', input, options),
    get: (id: string, options?: CallOptions): Promise<api.Key> => this.#get(`/keys/${segment(id)}`, {}, options),
    /** Its `secret` is shown once: a try after a lost answer is answered without it. */
    create: (input: api.CreateKeyInput, options?: WriteOptions): Promise<api.KeyWithSecret> =>
      this.#post('/keys', input, options),
    /** Gives it another secret. The one before works for another hour. */
    rotate: (id: string, options?: WriteOptions): Promise<api.KeyWithSecret> =>
      this.#post(`/keys/${segment(id)}/rotate`, undefined, options),
    /** Ends it at once, and all keys that it made. */
    revoke: async (id: string, options?: CallOptions): Promise<api.Key> =>
      (await this.#change<api.Key>('DELETE', `/keys/${segment(id)}`, undefined, options)).data,
  };

  /** What was changed, newest first. */
  history(input: Filters<api.HistoryInput> = {}, options?: CallOptions): List<api.HistoryAnswer['items'][number]> {
    return this.#list('/history', input, options);
  }

  /** Takes back a change, by the `undo` of its answer. When something was changed since, `outcome` says so and nothing is undone. */
  undo(id: string, input: api.UndoInput = {}, options?: WriteOptions): Promise<api.UndoAnswer> {
    return this.#post(`/history/${segment(id)}/undo`, input, options);
  }

  #get<T>(path: string, query: object, options?: CallOptions): Promise<T> {
    return this.#requests.get(path, query, options);
  }

  #post<T>(path: string, body: object | undefined, options?: WriteOptions): Promise<T> {
    return this.#requests.post(path, { body }, options);
  }

  #change<T>(method: Request['method'], path: string, body?: object, { signal, ifMatch }: ChangeOptions = {}) {
    const headers = ifMatch === undefined ? undefined : { 'If-Match': ifMatch };
    return this.#requests.send<T>({ method, path, body, headers, signal });
  }

  #list<Item>(path: string, input: object, options?: CallOptions): List<Item> {
    return listOf(this.#requests, path, input, options);
  }
}

function isProcessed({ id, status, failure }: TaggedItem): boolean {
  if (status === 'failed' && failure !== undefined && failure !== null) throw new ProcessingFailedError(id, failure);
  return status === 'completed';
}

function tagged({ data, etag }: { data: unknown; etag: string | null }): TaggedItem {
  return { ...(data as api.ContentItem), etag: etag ?? '' };
}
