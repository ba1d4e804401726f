import { configuredAddress } from '../own-address.ts';
import { addRestRoutes, type Answered, type RestCall, type RestParts, type RunCall } from '../rest.ts';
import type { Mount, MountParts } from '../server.ts';
import { sendCompressed } from './compressed.ts';
import { onceForEachKey } from './idempotency.ts';
import type { RestOperation } from '../rest-operations.ts';
import { apiV1Operations } from './operations.ts';
import { unlessChanged } from './preconditions.ts';
import { addTransferRoutes } from './transfers.ts';

/** The routes under /api/v1, when the setting `apiV1` is on. */
export const mountApiV1: Mount = (app, parts) => {
  if (!parts.config.apiV1) return;
  const operations = apiV1Operations(parts.operations);
  const restParts = { ...restPartsOf(parts), around: aroundCalls(parts), send: sendCompressed };
  // `/content/changes` is a path of its own, and no `/content/:id`: its routes come first, and other methods end there.
  const isPlain = ({ http }: RestOperation) => !http.path.includes(':');
  const plain = operations.filter(isPlain);
  addTransferRoutes(app, parts);
  addRestRoutes(app, plain, restParts);
  for (const path of new Set(plain.map(({ http }) => http.path))) app.all(path, (context) => context.notFound());
  addRestRoutes(
    app,
    operations.filter((operation) => !isPlain(operation)),
    restParts,
  );
};

function restPartsOf({ services, authenticate, requireRoom, bodies, requests, config }: MountParts): RestParts {
  return { services, authenticate, requireRoom, bodies, requests, publicUrl: configuredAddress(config) };
}

/** A repeated request gets the answer of the first one, whatever has changed since; so its key is looked up first. */
function aroundCalls({ services, repeatedRequests }: MountParts) {
  return (call: RestCall, run: RunCall): Promise<Answered> =>
    onceForEachKey(call, repeatedRequests, () => unlessChanged(call, services, run));
}
