import { mountPage } from './page/mount.ts';
import { mountApiV1 } from './api-v1/mount.ts';
import { mountDocs } from './docs/docs.ts';
import { mountFrontPage } from './docs/front-page.ts';
import { listen, type Listening } from './listen.ts';
import { mountMcp } from './mcp.ts';
import { mountOAuth } from './oauth/mount.ts';
import { mountSignIn } from './sign-in/mount.ts';
import { createHttpServer, type HttpParts, type Mount } from './server.ts';

/** The routes beside health, metrics and REST. A new set of routes is one more entry here. */
export const mounts: readonly Mount[] = [
  mountDocs,
  mountPage,
  mountFrontPage,
  mountSignIn,
  mountOAuth,
  mountMcp,
  mountApiV1,
];

/** Builds the HTTP server with all its routes and starts listening. */
export async function serveHttp(parts: HttpParts): Promise<Listening> {
  return listen(await createHttpServer({ mounts, ...parts }), parts.config, parts.log);
}
