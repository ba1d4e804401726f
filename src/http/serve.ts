import { mountDocs } from './docs/docs.ts';
import { listen, type Listening } from './listen.ts';
import { mountMcp } from './mcp.ts';
import { createHttpServer, type HttpParts, type Mount } from './server.ts';

/** Everything that hangs on the server beside REST. A new way in is a line here. */
const mounts: readonly Mount[] = [mountDocs, mountMcp];

/** Builds the server with everything on it and listens. */
export async function serveHttp(parts: HttpParts): Promise<Listening> {
  return listen(await createHttpServer({ mounts, ...parts }), parts.config, parts.log);
}
