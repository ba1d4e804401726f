import type { IncomingMessage } from 'node:http';
import { Readable } from 'node:stream';
import { AppError, invalidInput } from '../../errors.ts';
import type { RequestThread } from '../../requests/request-thread.ts';
import { type HttpContext, accountOfCaller } from '../context.ts';
import { HttpRefusal } from '../problem.ts';
import type { ByteBudget } from '../../requests/byte-budget.ts';
import { JsonBytes, type JsonBytesLimits, tooLarge } from '../../requests/json-bytes.ts';
import type { RequestTurns } from './requests-under-way.ts';

/** The `charset` parameter of a Content-Type, in lower case; `utf-8` when it is absent. */
function charsetOf(parameters: readonly string[]): string {
  for (const parameter of parameters) {
    const [name = '', value = ''] = parameter.split('=', 2).map((part) => part.trim());
    if (name.toLowerCase() !== 'charset') continue;
    const isQuoted = value.length >= 2 && value.startsWith('"') && value.endsWith('"');
    return (isQuoted ? value.slice(1, -1) : value).toLowerCase();
  }
  return 'utf-8';
}

function requireJson({ headers }: Request): void {
  const [mediaType = '', ...parameters] = (headers.get('content-type') ?? '').split(';');
  const charset = charsetOf(parameters);
  const encoding = headers.get('content-encoding') ?? 'identity';
  if (
    mediaType.trim().toLowerCase() !== 'application/json' ||
    (charset !== 'utf-8' && charset !== 'utf8') ||
    encoding.toLowerCase() !== 'identity'
  ) {
    throw new HttpRefusal(
      'unsupported_media_type',
      'Bodies are JSON in UTF-8, not compressed: send Content-Type: application/json.',
      { headers: { Accept: 'application/json' } },
    );
  }
}

interface BodyParts {
  bodies: BodyReader;
  requests: Pick<RequestThread, 'parse'>;
}

/** The limits that an operation sets for its body. */
interface BodyLimits {
  maxBytes: number;
  /** Fields that may be too large for the main thread. */
  largeInputs: readonly string[];
}

/**
 * Reads a request's body as a JSON object; an absent body is an empty object.
 * @throws {AppError} what `BodyReader.read` throws; `unsupported_media_type`; `invalid_input` when it is not a JSON
 *   object
 */
export async function readJsonBody(
  context: HttpContext,
  { bodies, requests }: BodyParts,
  { maxBytes, largeInputs }: BodyLimits,
): Promise<object> {
  const json = await bodies.read(context, { maxBytes, takesLargeValues: largeInputs.length > 0 });
  if (json.size === 0) return {};
  requireJson(context.req.raw);
  const body = await requests.parse(json, { kind: 'input', names: largeInputs });
  if (typeof body !== 'object' || body === null || Array.isArray(body)) {
    throw invalidInput('The body must be a JSON object, such as {"url": "https://example.org/"}.');
  }
  return body;
}

/**
 * Maximum pieces of a body, beyond one for each `minPieceBytes`: enough for any normal sender, too few for a body that
 * is sent byte by byte.
 */
const maxPieces = 10_000;
const minPieceBytes = 64;
/** An incoming body must bring this many bytes in each interval: 2 KB a second. */
const minIntervalBytes = 20_000;
const intervalMs = 10_000;
const retryAfterSeconds = 2;

/** Close the connection instead of waiting for the rest of the body. */
export const closing = { Connection: 'close' };

/** Reads the bodies of requests. */
export interface BodyReader {
  /**
   * Reads a body and checks it on the way; an absent one is empty. Its bytes count against the memory budget until the
   * request is answered.
   * @throws {HttpRefusal} `payload_too_large`; `invalid_input` when it is nested too deeply, holds too many values or
   *   comes too slowly; `rate_limited` when the account, or all accounts together, send too much at once
   * @throws {AppError} `cancelled` when the connection breaks off
   */
  read(context: HttpContext, limits: JsonBytesLimits): Promise<JsonBytes>;
}

/** @param budget for the bytes that all requests hold, by account */
export function createBodyReader(budget: ByteBudget, turns: RequestTurns): BodyReader {
  return {
    async read(context, limits) {
      const { maxBytes } = limits;
      const announced = announcedBytes(context);
      if (announced > maxBytes) throw refused(tooLarge(maxBytes));
      const { outgoing } = context.env ?? {};
      // A client that has gone already: its `close` event is over and would never release the bytes.
      if (outgoing?.destroyed === true) throw incomplete();
      const accountId = accountOfCaller(context);
      const reservation = budget.open(accountId);
      outgoing?.once('close', () => reservation.release());
      const json = new JsonBytes(limits);
      let [size, pieces] = [0, 0];
      const add = (piece: Uint8Array): void => {
        pieces += 1;
        size += piece.length;
        if (pieces > maxPieces + size / minPieceBytes) {
          throw refused(invalidInput('The body arrives in too many small pieces: send larger ones.'));
        }
        if (!reservation.growTo(size)) throw tooMuchAtOnce();
        try {
          json.add(piece);
        } catch (error) {
          throw refused(error);
        }
      };
      try {
        if (!reservation.growTo(announced)) throw tooMuchAtOnce();
        for await (const piece of arrivingPieces(context)) add(piece);
      } finally {
        if (outgoing === undefined) reservation.release();
      }
      await turns.next(accountId);
      return json;
    },
  };
}

/**
 * The pieces of a body, as they arrive. Node's stream is read: a web stream costs ten times as much for each piece, and only to
 * name it would take the bytes away.
 * @throws {HttpRefusal} `invalid_input` when they come too slowly; {AppError} `cancelled` when the connection breaks off
 */
export async function* arrivingPieces({ env, req: { raw } }: HttpContext): AsyncGenerator<Uint8Array> {
  const { incoming, outgoing } = env ?? {};
  if (raw.headers.has('expect')) outgoing?.writeContinue();
  const body: AsyncIterable<Uint8Array> =
    incoming?.iterator({ destroyOnReturn: false }) ?? raw.body ?? Readable.from([]);
  const pieces = body[Symbol.asyncIterator]();
  let received = 0;
  let receivedBefore = 0;
  let refuse: (error: Error) => void = () => undefined;
  const timer = setInterval(() => {
    if (received - receivedBefore < minIntervalBytes) refuse(tooSlow());
    receivedBefore = received;
  }, intervalMs);
  // Do not keep the process alive for this timer; while the body is arriving, the socket does.
  timer.unref();
  try {
    for (;;) {
      const next = await new Promise<IteratorResult<Uint8Array>>((resolve, reject) => {
        refuse = reject;
        pieces.next().then(resolve, (cause: unknown) => reject(incomplete(cause)));
      });
      if (next.done === true) return;
      received += next.value.length;
      yield next.value;
    }
  } finally {
    clearInterval(timer);
    // It may still wait for a piece: nothing here waits for it.
    void pieces.return?.().catch(() => undefined);
  }
}

/** The announced size of a body; 0 when it is not announced. */
export function announcedBytes({ req: { raw } }: HttpContext): number {
  return raw.headers.has('transfer-encoding') ? 0 : Number(raw.headers.get('content-length') ?? 0);
}

function incomplete(cause?: unknown): AppError {
  return new AppError('cancelled', 'The body did not arrive completely.', { cause });
}

/** A refusal before the body has arrived: the rest of it is not read. */
export function refused(error: unknown): unknown {
  if (!(error instanceof AppError)) return error;
  return new HttpRefusal(error.code, error.message, { headers: closing });
}

function tooSlow(): AppError {
  return new HttpRefusal('invalid_input', 'The body arrives too slowly. Send it again over a faster connection.', {
    headers: closing,
  });
}

function tooMuchAtOnce(): HttpRefusal {
  return new HttpRefusal(
    'rate_limited',
    `Too much is being sent at once. Send large bodies one after the other. Try again in ${retryAfterSeconds} s.`,
    { headers: { ...closing, 'Retry-After': String(retryAfterSeconds) } },
  );
}

/*
 * How long a request may take to arrive, with its body. Node has one limit for all requests of a server. Large files need
 * more time, and only callers who may send them get it.
 */

const timers = new WeakMap<IncomingMessage, NodeJS.Timeout>();

/** Calls `onLate` when the request has not arrived completely after `ms` milliseconds. */
export function limitArrival(incoming: IncomingMessage, ms: number, onLate: () => void): void {
  // Without a body it is there already.
  if (incoming.headers['content-length'] === undefined && incoming.headers['transfer-encoding'] === undefined) return;
  const timer = setTimeout(() => {
    if (!incoming.complete && !incoming.socket.destroyed) onLate();
  }, ms);
  timer.unref();
  timers.set(incoming, timer);
  incoming.once('close', () => clearTimeout(timer));
}

/** Removes the time limit of a request. The code that reads its body must refuse one that comes too slowly. */
export function unlimitArrival(incoming: IncomingMessage): void {
  clearTimeout(timers.get(incoming));
}
