import { once } from 'node:events';
import { createServer, connect as connectTo, type Server, type Socket } from 'node:net';

/** The message that tells a client the number of the server's process, and its length. */
const backendKey = Buffer.from([0x4b, 0, 0, 0, 12]);

/** Stands between a node and the server: as a pooler that hands out numbers of its own, or a network that fails. */
export class Relay {
  readonly #server: Server;
  readonly #sockets = new Set<Socket>();
  #isAway = false;
  connections = 0;
  /** By whom they were made or by the server, and not by `setAway`. */
  closed = 0;

  private constructor(server: Server) {
    this.#server = server;
  }

  /** @param url of a database behind a Unix socket */
  static async start(url: string, { isPooler = false } = {}): Promise<{ relay: Relay; url: string }> {
    const { hostname, username, pathname } = new URL(url);
    const server = createServer();
    const relay = new Relay(server);
    server.on('connection', (client) => {
      relay.connections += 1;
      if (relay.#isAway) return client.destroy();
      relay.#join(client, connectTo(`${decodeURIComponent(hostname)}/.s.PGSQL.5432`), isPooler);
    });
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    const address = server.address();
    if (address === null || typeof address === 'string') throw new Error('a relay without a port');
    return { relay, url: `postgres://${username}@127.0.0.1:${address.port}${pathname}` };
  }

  #join(client: Socket, database: Socket, isPooler: boolean): void {
    for (const [socket, other] of [
      [client, database],
      [database, client],
    ] as const) {
      this.#sockets.add(socket);
      socket.on('error', () => undefined);
      socket.on('close', () => {
        this.#sockets.delete(socket);
        if (socket === client && !this.#isAway) this.closed += 1;
        other.destroy();
      });
    }
    client.pipe(database);
    database.on('data', (bytes: Buffer) => {
      const at = isPooler ? bytes.indexOf(backendKey) : -1;
      if (at !== -1) bytes.writeInt32BE(1, at + backendKey.length);
      client.write(bytes);
    });
  }

  /** Cuts all connections and lets no new one through, or lets them through again. */
  setAway(isAway: boolean): void {
    this.#isAway = isAway;
    if (isAway) for (const socket of this.#sockets) socket.destroy();
  }

  async stop(): Promise<void> {
    this.setAway(true);
    this.#server.close();
    await once(this.#server, 'close');
  }
}
