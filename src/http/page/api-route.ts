import type { Hono } from 'hono';
import { notFound } from '../../errors.ts';
import { callOperation } from '../../operations/call.ts';
import { updateReading } from '../../operations/content/change-content.ts';
import type { Operation } from '../../operations/operation.ts';
import { readJsonBody } from '../incoming/body.ts';
import { standardBodyBytes } from '../incoming/limits.ts';
import type { HttpContext, HttpEnv } from '../context.ts';
import { sendCompressed } from '../rest/send.ts';
import { fingerprintOf, idempotencyKeyOf } from '../rest/writes.ts';
import type { Answered } from '../rest/send.ts';
import type { MountParts } from '../mount.ts';
import type { LibraryWatch } from './event-route.ts';
import { signedOut, type Visitors } from './visitor.ts';
import { withCookies } from '../sign-in/browser.ts';

interface ApiParts {
  visitors: Visitors;
  operations: readonly Operation[];
  watch: LibraryWatch;
}

/**
 * The one route by which the page calls operations: `POST /app/api/<operation>` with the input as JSON. The session cookie says who
 * calls, and no token is accepted in its place. It is not documented for other clients, because it changes with the page.
 */
export function addApiRoute(app: Hono<HttpEnv>, parts: MountParts, { visitors, operations, watch }: ApiParts): void {
  const byName = new Map(operations.map((operation) => [operation.name, operation]));
  app.post('/app/api/:operation', async (context) => {
    // A page of an earlier session: what it sends waits for one that is loaded again, and is not refused.
    const visitor = await visitors.requirePage(context, signedOut());
    const operation = byName.get(context.req.param('operation'));
    if (operation === undefined) throw notFound('There is no such operation. Load the page again.');
    const input = await readInput(context, parts, operation);
    const { signal } = context.req.raw;
    const { caller } = visitor;
    const run = async (): Promise<Answered> => {
      const output = await callOperation(operation, 'page', input, caller, { ...parts.services, signal });
      if (operation.effects.readOnly) parts.requireRoom(context);
      else {
        watchQueued(watch, caller.accountId, output);
        // Where reading stopped is in no list.
        if (operation.name !== updateReading.name) watch.tellWritten(caller.accountId);
      }
      return {
        status: 200,
        body: JSON.stringify(output),
        headers: { 'Content-Type': 'application/json', 'Cache-Control': 'no-store' },
      };
    };
    // The page sends a write again when it does not know whether it arrived. Secrets are not kept to be answered again.
    const key = operation.effects.readOnly || operation.secrets !== undefined ? null : idempotencyKeyOf(context);
    const answered =
      key === null
        ? await run()
        : (
            await parts.repeatedRequests.once(
              // A person who signed in again meanwhile is still the same.
              { caller: { ...caller, tokenId: 'page' }, key, fingerprint: fingerprintOf(operation, input) },
              run,
            )
          ).answer;
    return withCookies(await sendCompressed(context, answered), visitor.browser);
  });
}

function readInput(context: HttpContext, parts: MountParts, operation: Operation): Promise<object> {
  const maxBytes = Math.max(standardBodyBytes, operation.http?.maxBodyBytes ?? 0, operation.apiV1?.maxBodyBytes ?? 0);
  return readJsonBody(context, parts, { maxBytes, largeInputs: operation.largeInputs ?? [] });
}

/** Starts to watch the items that a call has queued. */
function watchQueued(watch: LibraryWatch, account: string, output: unknown): void {
  const { items } = (output ?? {}) as { items?: unknown };
  for (const item of Array.isArray(items) ? (items as unknown[]) : [output]) {
    const { id, status } = (item ?? {}) as { id?: unknown; status?: unknown };
    if (typeof id === 'string' && (status === 'pending' || status === 'processing')) watch.add(account, id);
  }
}
