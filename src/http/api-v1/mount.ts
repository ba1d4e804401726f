import { configuredAddress } from '../own-address.ts';
import { addRestRoutes, type Answered, type Call, type RestParts, type RunCall } from '../rest.ts';
import type { Mount, MountParts } from '../server.ts';
import { sendCompressed } from './compressed.ts';
import { onceForEachKey } from './idempotency.ts';
import { apiV1Operations } from './operations.ts';
import { unlessChanged } from './preconditions.ts';

/** The routes under /api/v1, when the setting `apiV1` is on. */
export const mountApiV1: Mount = (app, parts) => {
  if (!parts.config.apiV1) return;
  const operations = apiV1Operations(parts.operations);
  addRestRoutes(app, operations, { ...restPartsOf(parts), around: aroundCalls(parts), send: sendCompressed });
};

function restPartsOf({ services, authenticate, bodies, requests, config }: MountParts): RestParts {
  return { services, authenticate, bodies, requests, publicUrl: configuredAddress(config) };
}

/** A repeated request gets the answer of the first one, whatever has changed since; so its key is looked up first. */
function aroundCalls({ services, repeatedRequests }: MountParts) {
  return (call: Call, run: RunCall): Promise<Answered> =>
    onceForEachKey(call, repeatedRequests, () => unlessChanged(call, services, run));
}
