import type { HostileAnswer } from '../../../support/servers/hostile-framing.ts';
import type { HostileSite } from '../../../support/servers/hostile-site.ts';
import type { Site } from '../../../support/servers/site.ts';
import type { Api } from '../api.ts';
import type { AttackedServer } from '../attacked-server.ts';

/** The server that is attacked, and what attacks it. */
export interface TestServer {
  server: AttackedServer;
  site: Site;
  hostileSite: HostileSite;
  attacker: Api;
  neighbour: Api;
  /** Asks again and again; resolves with milliseconds. @param what is not done when the run is over */
  until(reached: () => Promise<boolean>, what: string): Promise<number>;
  /** Saves a small page of another host; resolves with milliseconds when it is there. */
  neighbourSaves(): Promise<number>;
}

/** A page that a site of the attacker serves, and that the attacker saves. */
export interface PagePayload {
  kind: 'page';
  name: string;
  body: () => string | Uint8Array;
  type: string;
  /** `Content-Encoding`; the body is compressed as it says. */
  encoding?: 'gzip';
  /** Saved so many times, at addresses of their own. */
  copies?: number;
  /** Ending of the address, where it matters. */
  ending?: string;
  /** Takes more than two seconds of the processor: the gate leaves it out. */
  isSlow?: boolean;
  /** One of hundreds of a kind, of which the gate takes every fourth. */
  isOneOfMany?: boolean;
}

/** An answer that abuses HTTP, at an address that the attacker saves. */
export interface WirePayload {
  kind: 'wire';
  name: string;
  answer: HostileAnswer;
  /** Hosts that give it at once, each at its own address. */
  hosts: number;
  /** Most that each may be able to send. */
  maxSentBytes: number;
  isSlow?: boolean;
}

/** Text that the attacker hands over with an address: fields of `POST /content`. */
export interface PushedPayload {
  kind: 'pushed';
  name: string;
  fields: () => Record<string, unknown>;
  isSlow?: boolean;
  isOneOfMany?: boolean;
}

/** Bytes on a connection. Any answer will do, or none: what counts is how the others fare. */
export interface RequestPayload {
  kind: 'request';
  name: string;
  /** @param token a valid one, of the attacker */
  bytes: (token: string) => (string | Uint8Array)[];
  /** Of the same request at once. */
  connections?: number;
  /** The client never reads the answer. */
  isDeaf?: boolean;
}

/** Lines to the stdio server. */
export interface StdioPayload {
  kind: 'stdio';
  name: string;
  lines: () => (string | Uint8Array)[];
  isDeaf?: boolean;
}

/** Calls of somebody with an account, with their own checks. */
export interface AccountPayload {
  kind: 'account';
  name: string;
  /** @returns what the server should not have done */
  run: (testServer: TestServer) => Promise<string[]>;
  isSlow?: boolean;
}
