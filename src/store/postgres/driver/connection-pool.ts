import { Client, Pool as Connections, type PoolClient } from 'pg';
import { type HeldPlace, SharedPlaces } from '../../../domain/turns/shared-places.ts';
import {
  ConnectionLostError,
  connectionOptions,
  DatabaseTime,
  described,
  isPooled,
  maxConnectMs,
  notePooler,
  runTransaction,
  send,
  type Tx,
} from './connection.ts';
import { type Tag, tagFor } from './tag.ts';

export interface ConnectOptions {
  url: string;
  /** Of this process; the database's `max_connections` are for all nodes together. */
  maxConnections?: number | undefined;
  /** A statement that takes longer fails, and a transaction that does nothing for so long is ended. 0: no limit. */
  maxStatementMs?: number | undefined;
}

/** Connections to one database, and statements each of which is complete by itself. */
export interface Pool extends Tag {
  begin<T>(work: (tx: Tx) => Promise<T>): Promise<T>;
  /**
   * @param mode the text after `BEGIN`
   * @param admitted the account whose rows row-level security allows; without it, none. While all connections are in use, accounts
   * take turns.
   */
  begin<T>(mode: string, work: (tx: Tx) => Promise<T>, admitted?: string): Promise<T>;
  /** As of the last transaction. */
  readonly time: DatabaseTime;
  listen(channel: string, onNotice: () => void, signal: AbortSignal): Promise<boolean>;
  /** Accepts no more statements, and ends running ones after `timeout` seconds. */
  end(options?: { timeout?: number }): Promise<void>;
}

/** A server that does not answer at all is given up this much later than its statement timeout. */
const latenessMs = 15_000;

export function connect({ url, maxConnections = 8, maxStatementMs = 60_000 }: ConnectOptions): Pool {
  const connections = new Connections({
    // Its time is also that for a free connection, when all are in use.
    ...connectionOptions(url),
    max: maxConnections,
    pipeline: true,
    idleTimeoutMillis: 60_000,
    // New ones may go to another server, after the name has moved to it.
    maxLifetimeSeconds: 30 * 60,
    onConnect: notePooler,
    ...(maxStatementMs > 0 && { query_timeout: maxStatementMs + latenessMs }),
  });
  // Without a listener, the driver's events of a lost connection end the process. Statements report it themselves, and an idle one
  // is replaced.
  connections.on('error', () => undefined);
  connections.on('connect', (client) => client.on('error', () => undefined));

  const time = new DatabaseTime();
  const inUse = new Set<PoolClient>();
  let isOver = false;
  const withConnection = async <T>(work: (client: PoolClient) => Promise<T>): Promise<T> => {
    const client = await connections.connect().catch((error: unknown) => {
      throw described(error);
    });
    // It was still being made when the time of `end` was over.
    if (isOver) {
      client.release(true);
      throw new ConnectionLostError('The connections to the database have been closed.');
    }
    inUse.add(client);
    try {
      return await work(client);
    } finally {
      inUse.delete(client);
      // One that could not leave its transaction is closed.
      client.release(client.getTransactionStatus() !== 'I');
    }
  };

  // The driver's queue knows no accounts: one with many requests would be before all others.
  const places = new SharedPlaces({ total: maxConnections, reserved: maxConnections > 1 ? 1 : 0 });
  const waitForPlace = (account: string): Promise<HeldPlace> =>
    places.take(account, AbortSignal.timeout(maxConnectMs)).catch(() => {
      throw new ConnectionLostError('All connections to the database were in use for too long.');
    });
  const inTurn = async <T>(account: string, work: () => Promise<T>): Promise<T> => {
    const place = places.tryTake(account) ?? (await waitForPlace(account));
    try {
      return await work();
    } finally {
      place.leave();
    }
  };

  let ended: Promise<void> | null = null;
  const end = async (timeout: number): Promise<void> => {
    const timer = setTimeout(() => {
      isOver = true;
      for (const client of inUse) client.connection.stream.destroy();
    }, timeout * 1_000);
    await connections.end();
    clearTimeout(timer);
  };

  return Object.assign(
    tagFor((text, values) => withConnection((client) => send(client, text, values))),
    {
      begin<T>(
        modeOrWork: string | ((tx: Tx) => Promise<T>),
        given?: (tx: Tx) => Promise<T>,
        admitted?: string,
      ): Promise<T> {
        const mode = typeof modeOrWork === 'string' ? modeOrWork : '';
        const work = typeof modeOrWork === 'string' ? given : modeOrWork;
        if (work === undefined) throw new TypeError('a transaction without work');
        const run = (): Promise<T> =>
          withConnection((client) => runTransaction(client, { mode, admitted, maxStatementMs, time }, work));
        return admitted === undefined ? run() : inTurn(admitted, run);
      },
      time,
      listen: (channel: string, onNotice: () => void, signal: AbortSignal) => listen(url, channel, onNotice, signal),
      end: ({ timeout = 5 }: { timeout?: number } = {}) => (ended ??= end(timeout)),
    },
  );
}

/**
 * Listens for notifications of a channel on a separate connection.
 * @param onNotice is called for each, and once at the start, for missed ones
 * @returns when the connection has ended: false when a pooler prevents notifications
 */
async function listen(url: string, channel: string, onNotice: () => void, signal: AbortSignal): Promise<boolean> {
  const client = new Client(connectionOptions(url));
  client.on('error', () => undefined);
  client.on('notification', onNotice);
  const ended = new Promise<void>((resolve) => client.on('end', resolve));
  const end = (): void => void client.connection.stream.destroy();
  signal.addEventListener('abort', end);
  try {
    await client.connect();
    if (await isPooled(client)) return false;
    await client.query(`LISTEN ${client.escapeIdentifier(channel)}`);
    onNotice();
    await ended;
    return true;
  } finally {
    signal.removeEventListener('abort', end);
    end();
  }
}
