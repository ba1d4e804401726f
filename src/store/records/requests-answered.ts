/** The answer to a request that changed something. */
export interface KeptAnswer {
  status: number;
  body: string;
  headers: Readonly<Record<string, string>>;
}

/** What is known of a request when it comes in. */
export type BegunRequest =
  /** Not seen before: it is under way from now on. */
  | { state: 'new' }
  /** Done before: this was the answer. */
  | { state: 'answered'; answer: KeptAnswer }
  /** The same request is under way. */
  | { state: 'under way' }
  /** The same request was begun by a process that has ended before it could keep the answer: it may have been done. */
  | { state: 'cut off' }
  /** The key was used for another request. */
  | { state: 'other' };

/** Answers to requests that a client may send again, because it does not know whether the first one arrived. */
export interface RequestsAnswered {
  /**
   * Looks up a request and notes that it is under way, in one write. Entries older than a day are forgotten, and the oldest ones
   * beyond 10,000; one that has been under way for five minutes was cut off.
   * @param key who sent it, and the key that the client chose
   * @param fingerprint of the whole request
   */
  beginRequest(key: string, fingerprint: string): Promise<BegunRequest>;
  /** Keeps the answer; null: the request failed, and may be sent again with this key. */
  endRequest(key: string, answer: KeptAnswer | null): Promise<void>;
}
