import {
  emptyBodies,
  endlessAnswers,
  type HostileAnswer,
  slowAnswers,
} from '../../../support/servers/hostile-framing.ts';
import type { WirePayload } from './payload.ts';

const megabyte = 1024 ** 2;
/** What a fetch takes around its content, and what the systems of both sides hold for a connection. */
const marginBytes = 16 * megabyte;

function payload(answer: HostileAnswer, more: Partial<WirePayload> = {}): WirePayload {
  return { kind: 'wire', name: answer.name, answer, hosts: 1, maxSentBytes: marginBytes, ...more };
}

/** Answers of servers that abuse HTTP. Each is also given by eight hosts at once, where a single one hardly counts. */
export const wires: readonly WirePayload[] = [
  ...endlessAnswers.flatMap((answer) => [
    payload(answer),
    payload(answer, { name: `${answer.name}, from eight hosts`, hosts: 8, isSlow: true }),
  ]),
  ...emptyBodies.map((answer) => payload(answer)),
  ...slowAnswers.map((answer) =>
    payload(answer, { isSlow: answer.drip !== undefined || answer.endless !== undefined, maxSentBytes: 96 * megabyte }),
  ),
];
