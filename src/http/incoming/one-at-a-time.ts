import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

type AnswerRequest = (incoming: IncomingMessage, outgoing: ServerResponse) => void;

/** Maximum pipelined requests per connection. Hardly any client pipelines at all. */
const maxWaiting = 16;

/**
 * Handles the requests of each connection one after the other. HTTP/1.1 lets a client send many requests without
 * waiting (pipelining) and wants the responses in order. Handled concurrently, all responses would stay in memory until
 * the client takes the first one.
 */
export function oneAtATime(answer: AnswerRequest): AnswerRequest {
  const waitingOf = new WeakMap<Socket, [IncomingMessage, ServerResponse][]>();

  const run: AnswerRequest = (incoming, outgoing) => {
    const { socket } = incoming;
    outgoing.once('close', () => {
      const next = socket.destroyed ? undefined : waitingOf.get(socket)?.shift();
      if (next === undefined) waitingOf.delete(socket);
      else run(...next);
    });
    answer(incoming, outgoing);
  };

  return (incoming, outgoing) => {
    const { socket } = incoming;
    const waiting = waitingOf.get(socket);
    if (waiting === undefined) {
      waitingOf.set(socket, []);
      run(incoming, outgoing);
    } else if (waiting.length < maxWaiting) waiting.push([incoming, outgoing]);
    else socket.destroy();
  };
}
