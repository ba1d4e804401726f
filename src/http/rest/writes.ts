import { createHash } from 'node:crypto';
import { LargeValue } from '../../domain/json/large-value.ts';
import { refusedInput } from '../../domain/refused-input.ts';
import { AppError } from '../../errors.ts';
import { callOperation, mayCall } from '../../operations/call.ts';
import { getContent } from '../../operations/content/read-content.ts';
import type { Operation, OperationContext, Services } from '../../operations/operation.ts';
import type { RepeatedRequestsService } from '../../services/operating/repeated-requests.ts';
import type { HttpContext } from '../context.ts';
import type { RestCall, Route } from './routes.ts';
import { entityTag, plainTagOf, type Answered } from './send.ts';

/* Writes that a client may repeat (`Idempotency-Key`), and changes that overwrite nothing (`If-Match`). */

/** @param more what the operation's `run` gets beside the usual */
export type RunCall = (more?: Pick<OperationContext, 'unchangedSince'>) => Promise<Answered>;

const header = 'Idempotency-Key';
/** Printable ASCII, with or without the quotation marks of a structured field. */
const saneKey = /^[\x21-\x7e]{1,255}$/;

/**
 * Answers a request that carries an `Idempotency-Key` once: the same request again gets the first answer, and does nothing.
 * Only answers of success are kept; a refused request may be sent again, mended or not. Secrets are kept of none: they
 * are shown once.
 * @throws {AppError} `invalid_input` for a bad key; what `RepeatedRequestsService.once` throws
 */
export async function onceForEachKey(
  { context, caller, route, input }: RestCall,
  repeatedRequests: RepeatedRequestsService,
  run: () => Promise<Answered>,
): Promise<Answered> {
  const key = idempotencyKeyOf(context);
  if (key === null) return run();
  let first: Answered | undefined;
  const fingerprint = fingerprintOf(route, input);
  const { answer } = await repeatedRequests.once({ caller, key, fingerprint }, async () => {
    first = await run();
    return withoutSecrets(first, route);
  });
  return first ?? { ...answer, headers: { ...answer.headers, 'Idempotency-Replayed': 'true' } };
}

/**
 * The key of a request; null when it has none.
 * @throws {AppError} `invalid_input` for a bad key
 */
export function idempotencyKeyOf(context: HttpContext): string | null {
  const key = context.req.raw.headers.get(header);
  if (key !== null && !saneKey.test(key))
    throw refusedInput(`The header ${header} is not valid.`, [
      { path: header, message: 'must be 1 to 255 printable ASCII characters without spaces, such as a UUID' },
    ]);
  return key;
}

function withoutSecrets(answer: Answered, { secrets = [] }: Route): Answered {
  if (secrets.length === 0) return answer;
  const fields = Object.entries(JSON.parse(answer.body) as object).filter(([name]) => !secrets.includes(name));
  return { ...answer, body: JSON.stringify(Object.fromEntries(fields)) };
}

/** A hash of the request: the operation and all its inputs, in the order in which they were sent. */
export function fingerprintOf({ name: operation }: Pick<Operation, 'name'>, input: object): string {
  const whole = createHash('sha256').update(operation);
  for (const [name, value] of Object.entries(input)) {
    whole.update(JSON.stringify(name));
    whole.update(value instanceof LargeValue ? value.json : (JSON.stringify(value) ?? ''));
  }
  return whole.digest('base64url');
}

/**
 * Runs a write on an item. With `If-Match` the item must still be the one with that ETag; that is compared before, and again in the
 * transaction of the write. The answer to a change carries the ETag for the next one.
 * @throws {AppError} `precondition_failed`
 */
export async function unlessChanged(call: RestCall, services: Services, run: RunCall): Promise<Answered> {
  const { route, caller, context } = call;
  const expected = context.req.raw.headers.get('if-match');
  const unchangedSince = expected === null ? undefined : await versionWithTag(call, expected, services);
  const written = await run(unchangedSince === undefined ? {} : { unchangedSince });
  // Who may not read gets an acknowledgement, which is no version of the item.
  if (route.http.method !== 'put' || !mayCall(getContent, caller)) return written;
  return { ...written, headers: { ...written.headers, ETag: tagOfItem(written.body) } };
}

const undoAtEnd = /,"undo":"[^"]*"\}$/;
const maxUndoLength = 100;

/**
 * The tag with which GET answers the item that was changed: `undo`, the last field, belongs to the change alone. The body of
 * a long text is not parsed for it.
 */
function tagOfItem(body: string): string {
  const rest = body.slice(0, -maxUndoLength);
  return entityTag(rest + body.slice(rest.length).replace(undoAtEnd, '}'));
}

/** The version of the item, which has one of the tags in `If-Match`; undefined where any item will do (`*`). */
async function versionWithTag(
  { caller, context, input }: RestCall,
  expected: string,
  services: Services,
): Promise<number | undefined> {
  const { id } = input as { id: string };
  // The version first: a change between the two reads makes the write fail, and never overwrites.
  const version = await services.library.getVersion(caller.accountId, id);
  if (expected.trim() === '*') return undefined;
  const tags = expected.split(',').map((tag) => plainTagOf(tag.trim()));
  // A caller that may not read learns only whether the tag that it sent was right.
  const reader = { ...caller, permissions: new Set([...caller.permissions, getContent.permission]) };
  const { signal } = context.req.raw;
  const item = await callOperation(getContent, 'rest', { id }, reader, { ...services, signal });
  if (tags.includes(entityTag(JSON.stringify(item)))) return version;
  throw new AppError(
    'precondition_failed',
    'The item has changed since it was read. Read it again, then send the change with its new ETag.',
  );
}
