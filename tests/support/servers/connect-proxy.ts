import { connect, createServer, type AddressInfo, type Socket } from 'node:net';

/** An HTTP proxy that knows CONNECT, on this machine. */
export interface ConnectProxy {
  /** `127.0.0.1` and its port. */
  host: string;
  /** The heads of the requests that it got. */
  heads: string[];
  /** Addresses that it was asked for: `192.0.2.1:443`. */
  asked(): string[];
  close(): Promise<void>;
}

/**
 * @param answer sends what the proxy sends in place of its usual answer; without it every connection leads to `port`
 */
export async function startProxy({
  port,
  answer,
}: {
  port?: number;
  answer?: (socket: Socket) => void;
}): Promise<ConnectProxy> {
  const heads: string[] = [];
  const open = new Set<Socket>();
  const hold = (socket: Socket) => {
    open.add(socket.on('error', () => socket.destroy()).on('close', () => open.delete(socket)));
    return socket;
  };
  const server = createServer((socket) => {
    hold(socket).once('data', (head) => {
      heads.push(head.toString('latin1'));
      if (answer !== undefined) return answer(socket);
      const target = hold(connect(port ?? 0, '127.0.0.1'));
      socket.write('HTTP/1.1 200 Connection established\r\nVia: test\r\n\r\n');
      socket.pipe(target).pipe(socket);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    host: `127.0.0.1:${(server.address() as AddressInfo).port}`,
    heads,
    asked: () => heads.map((head) => /^CONNECT (\S+) HTTP\/1\.1\r\n/.exec(head)?.[1] ?? head),
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        for (const socket of open) socket.destroy();
      }),
  };
}
