import type { Hono } from 'hono';
import type { Log } from '../log.ts';
import { respond, type HttpEnv } from './context.ts';

/** The state of each part of the program, in one word each. */
interface Readiness {
  ready: boolean;
  parts: Readonly<Record<string, string>>;
}

interface HealthParts {
  /** Checks the parts of the program; throws when one cannot be used. */
  checkReadiness: () => Promise<Record<string, string>>;
  /** Aborted when the server has been told to stop. */
  stopping: AbortSignal;
  log: Log;
}

const headers = { 'Content-Type': 'application/json', 'Cache-Control': 'no-store' };

/** `/health`: the process responds. `/ready`: it can also do its work, so a load balancer may send it requests. */
export function addHealthRoutes(app: Hono<HttpEnv>, parts: HealthParts): void {
  app.get('/health', (context) => respond(context, 200, '{"status":"ok"}', headers));
  app.get('/ready', async (context) => {
    const { ready, parts: checked } = await readiness(parts);
    const body = { status: ready ? 'ready' : 'not ready', checks: checked };
    return respond(context, ready ? 200 : 503, JSON.stringify(body), headers);
  });
}

async function readiness({ checkReadiness, stopping, log }: HealthParts): Promise<Readiness> {
  if (stopping.aborted) return { ready: false, parts: { server: 'stopping' } };
  try {
    return { ready: true, parts: await checkReadiness() };
  } catch (error) {
    // Log the details, and do not send them: this route needs no token.
    log.error({ err: error }, 'not ready');
    return { ready: false, parts: { store: 'failed' } };
  }
}
