import type { SentFailure } from '../errors.ts';
import type { FetchedResource, FetchTask } from './fetch.ts';

/** A task for the fetching process. */
export type FetchingTask =
  | ({ kind: 'fetch' } & FetchTask)
  /** Asks if an address belongs to the public internet: its name has to be looked up. */
  | { kind: 'look-up'; url: string; accountId: string };

/** Messages to the fetching process. `id` names a call. */
export type ToFetching =
  | { kind: 'call'; id: number; task: FetchingTask }
  /** The call has the turn at the host for which it asked. */
  | { kind: 'turn'; id: number }
  /** Nobody waits for the call any more. */
  | { kind: 'stop'; id: number };

/** Messages from the fetching process. The last message about a call is one of the last three. */
export type FromFetching =
  /** Asks for a turn at a host. The turn that the call had before is over. */
  | { kind: 'host'; id: number; host: string }
  /** The host asked to be left alone. */
  | { kind: 'hold'; id: number; host: string; ms: number }
  | { kind: 'piece'; id: number; bytes: Uint8Array }
  | { kind: 'fetched'; id: number; resource: FetchedResource }
  | { kind: 'looked-up'; id: number; isPublic: boolean }
  /** `cause` is for the log. */
  | { kind: 'failure'; id: number; failure: SentFailure; cause: string | undefined };
