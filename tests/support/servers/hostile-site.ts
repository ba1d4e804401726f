import { type AddressInfo, createServer, type Socket } from 'node:net';
import type { HostileAnswer } from './hostile-framing.ts';

/** A server that gives hostile answers, on all addresses of this machine. */
export interface HostileSite {
  /** Makes an address for an answer. */
  publish(answer: HostileAnswer, host?: string): string;
  /** Bytes that were sent so far, with those that the system has not delivered. */
  sentBytes(): number;
  close(): Promise<void>;
}

export async function startHostileSite(): Promise<HostileSite> {
  const answers: HostileAnswer[] = [];
  const open = new Set<Socket>();
  let closedBytes = 0;
  const server = createServer((socket) => {
    open.add(socket);
    socket.on('error', () => undefined);
    socket.once('close', () => {
      open.delete(socket);
      closedBytes += socket.bytesWritten;
    });
    socket.once('data', (request) => {
      const answer = answers[Number(/^GET \/(\d+)/.exec(request.toString('latin1'))?.[1])];
      if (answer === undefined) return void socket.end('HTTP/1.1 404 Not Found\r\nContent-Length: 0\r\n\r\n');
      give(socket, answer);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '0.0.0.0', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    publish: (answer, host = '127.0.0.1') => `http://${host}:${port}/${answers.push(answer) - 1}`,
    sentBytes: () => [...open].reduce((sum, socket) => sum + socket.bytesWritten, closedBytes),
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        for (const socket of open) socket.destroy();
      }),
  };
}

function give(socket: Socket, { head, body, endless, drip }: HostileAnswer): void {
  socket.resume();
  socket.write(head);
  if (drip !== undefined) {
    const timer = setInterval(() => socket.write(drip), 1_000);
    socket.once('close', () => clearInterval(timer));
  } else if (endless === undefined) socket.end(body?.() ?? '');
  else {
    const again = Buffer.from(endless());
    const fill = (): void => {
      while (!socket.destroyed && socket.write(again));
    };
    socket.on('drain', fill);
    fill();
  }
}
