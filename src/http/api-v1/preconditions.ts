import { AppError } from '../../errors.ts';
import { callOperation } from '../../operations/call.ts';
import { deleteContent, updateContent } from '../../operations/content/change-content.ts';
import { getContent } from '../../operations/content/read-content.ts';
import type { Services } from '../../operations/operation.ts';
import { mayCall } from '../../operations/permissions.ts';
import { entityTag } from '../incoming/entity-tag.ts';
import type { Answered, RestCall, RunCall } from '../rest.ts';
import { plainTagOf } from './compressed.ts';

/**
 * Runs a write on an item. With `If-Match` the item must still be the one with that ETag; that is compared before, and again in the
 * transaction of the write. The answer to a change
 * carries the ETag for the next one.
 * @throws {AppError} `precondition_failed`
 */
export async function unlessChanged(call: RestCall, services: Services, run: RunCall): Promise<Answered> {
  const { operation, input, context, caller } = call;
  const isUpdate = operation.name === updateContent.name;
  if (!isUpdate && operation.name !== deleteContent.name) return run();
  const { id } = input as { id: string };
  const expected = context.req.raw.headers.get('if-match');
  const unchangedSince = expected === null ? undefined : await versionWithTag(call, id, expected, services);
  const written = await run(unchangedSince === undefined ? {} : { unchangedSince });
  // Who may not read gets an acknowledgement, which is no version of the item.
  if (!isUpdate || !mayCall(getContent, caller)) return written;
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
  call: RestCall,
  id: string,
  expected: string,
  services: Services,
): Promise<number | undefined> {
  // The version first: a change between the two reads makes the write fail, and never overwrites.
  const version = await services.library.getVersion(call.caller.accountId, id);
  if (expected.trim() === '*') return undefined;
  const tags = expected.split(',').map((tag) => plainTagOf(tag.trim()));
  if (tags.includes(entityTag(await readItem(call, id, services)))) return version;
  throw new AppError(
    'precondition_failed',
    'The item has changed since it was read. Read it again, then send the change with its new ETag.',
  );
}

/** The body of GET. A caller that may not read learns from it only whether the tag that it sent was right. */
async function readItem({ caller, context }: RestCall, id: string, services: Services): Promise<string> {
  const reader = { ...caller, permissions: new Set([...caller.permissions, getContent.permission]) };
  const { signal } = context.req.raw;
  return JSON.stringify(await callOperation(getContent, 'rest', { id }, reader, { ...services, signal }));
}
