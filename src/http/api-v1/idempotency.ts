import { createHash } from 'node:crypto';
import { LargeValue } from '../../domain/json/large-value.ts';
import { refusedInput } from '../../domain/refused-input.ts';
import type { Operation } from '../../operations/operation.ts';
import type { RepeatedRequestsService } from '../../services/operating/repeated-requests.ts';
import type { HttpContext } from '../context.ts';
import type { Answered, RestCall } from '../rest.ts';

const header = 'Idempotency-Key';
/** Printable ASCII, with or without the quotation marks of a structured field. */
const saneKey = /^[\x21-\x7e]{1,255}$/;

/**
 * Answers a POST that carries an `Idempotency-Key` once: the same request again gets the first answer, and does nothing.
 * Only answers of success are kept; a refused request may be sent again, mended or not. Secrets are kept of none: they
 * are shown once.
 * @throws {AppError} `invalid_input` for a bad key; what `RepeatedRequestsService.once` throws
 */
export async function onceForEachKey(
  call: RestCall,
  repeatedRequests: RepeatedRequestsService,
  run: () => Promise<Answered>,
): Promise<Answered> {
  const { context, caller, operation } = call;
  // What only reads can be asked twice.
  if (operation.http.method !== 'post' || operation.effects.readOnly) return run();
  const key = idempotencyKeyOf(context);
  if (key === null) return run();
  let first: Answered | undefined;
  const { answer } = await repeatedRequests.once({ caller, key, fingerprint: fingerprintOf(call) }, async () => {
    first = await run();
    return withoutSecrets(first, operation);
  });
  return first ?? asRepeated(answer);
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

/** An answer that was given before. */
export function asRepeated(answer: Answered): Answered {
  return { ...answer, headers: { ...answer.headers, 'Idempotency-Replayed': 'true' } };
}

function withoutSecrets(answer: Answered, { secrets = [] }: RestCall['operation']): Answered {
  if (secrets.length === 0) return answer;
  const fields = Object.entries(JSON.parse(answer.body) as object).filter(([name]) => !secrets.includes(name));
  return { ...answer, body: JSON.stringify(Object.fromEntries(fields)) };
}

/** A hash of what is asked: the operation and all its inputs, in the order in which they were sent. */
export function fingerprintOf({ operation, input }: { operation: Pick<Operation, 'name'>; input: object }): string {
  const whole = createHash('sha256').update(operation.name);
  for (const [name, value] of Object.entries(input)) {
    whole.update(JSON.stringify(name));
    whole.update(value instanceof LargeValue ? value.json : (JSON.stringify(value) ?? ''));
  }
  return whole.digest('base64url');
}
