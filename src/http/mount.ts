import type { Hono } from 'hono';
import type { Clock } from '../domain/clock.ts';
import type { Resource } from '../domain/records/resource.ts';
import type { Log } from '../workers/log.ts';
import type { Operation, Services } from '../operations/operation.ts';
import type { RequestThread } from '../requests/request-thread.ts';
import type { Uploads } from '../requests/uploads.ts';
import type { AccessService } from '../services/access.ts';
import type { QueueFigures } from '../services/operating/queue-figures.ts';
import type { RepeatedRequestsService } from '../services/operating/repeated-requests.ts';
import type { AssistantsService, SignInService } from '../services/sign-in/sign-in.ts';
import type { Config } from '../settings/config.ts';
import type { Admit, Authenticate } from './auth.ts';
import type { HttpContext, HttpEnv } from './context.ts';
import type { MakeLimiter } from './incoming/limits.ts';
import type { BodyReader } from './incoming/body.ts';
import type { SendFile } from './rest/send-file.ts';

/** The parts of the program that the HTTP server needs. */
export interface HttpParts {
  config: Config;
  log: Log;
  clock: Clock;
  version: string;
  services: Services;
  requests: RequestThread;
  access: AccessService;
  signIn: SignInService;
  assistants: AssistantsService;
  repeatedRequests: RepeatedRequestsService;
  /** Fetches the document that describes an assistant, from the public internet alone. */
  fetchDocument: (url: string, signal: AbortSignal) => Promise<Pick<Resource, 'bytes'>>;
  /** Does what the first questions of an account would wait for. */
  prepareSearch: (accountId: string, ask: (query: string, signal: AbortSignal) => Promise<unknown>) => Promise<void>;
  /** The state of each part in one word; throws when one cannot be used. */
  checkReadiness: () => Promise<Record<string, string>>;
  /** Counts waiting, running and failed jobs of all accounts, in bounded time. */
  countQueues: () => Promise<QueueFigures>;
  /** All operations, unless a test passes its own. */
  operations?: readonly Operation[];
  /** How requests are counted: by this process alone, unless several nodes share the counts. */
  makeLimiter?: MakeLimiter;
  /** Another limit than the usual one of requests with a wrong token, a minute and address. */
  failedAuthPerMinute?: number | undefined;
  /** Further sets of routes, added in this order. All, unless a test passes its own. */
  mounts?: readonly Mount[];
}

/** The parts given to a mount that adds its own routes (MCP, the API documentation). */
export interface MountParts extends HttpParts {
  operations: readonly Operation[];
  makeLimiter: MakeLimiter;
  /** Authenticates the caller, with the same limits on every route. Its errors become problem responses. */
  authenticate: Authenticate;
  /** Lets a person in who is signed in with a browser, with the limits of a token. */
  admit: Admit;
  /** Waits until the bytes of an answer of many megabytes may be read into memory. Call it after `authenticate` or `admit`. */
  beginLarge: (context: HttpContext) => Promise<void>;
  /** Refuses what has been read for an account that does not take its answers. */
  requireRoom: (context: HttpContext) => void;
  /** The client's address, in the form that limits count. */
  addressOf: (context: HttpContext) => string;
  bodies: BodyReader;
  uploads: Uploads;
  /** Sends a file of the caller's account. */
  sendFile: SendFile;
  /** Aborted when the server begins to stop: what streams without end ends now. */
  stopping: AbortSignal;
  /** Aborted when waiting calls must end because the server stops. */
  ending: AbortSignal;
}

/**
 * Adds routes before the REST routes. They must call `authenticate`, unless they are public.
 * @returns ends the mount's background work; called after the last request
 */
export type Mount = (app: Hono<HttpEnv>, parts: MountParts) => void | (() => Promise<void>);
