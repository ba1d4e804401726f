import type { Hono } from 'hono';
import type { Log } from '../workers/log.ts';
import { type HttpEnv, respond } from './context.ts';
import type { Clock } from '../domain/clock.ts';
import { localAccountId } from '../domain/access/account-names.ts';
import { AppError } from '../errors.ts';
import type { QueueFigures } from '../services/operating/queue-figures.ts';
import type { Authenticate } from './auth.ts';

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

export type CountAnswer = (answer: { method: string; route: string; status: number; ms: number }) => void;

/**
 * `/metrics` in the Prometheus format. It needs a token of the server's own account: the figures are about all accounts, and a subscriber is
 * not to learn how many others there are. prom-client takes 150 ms to load, so this function imports it only when the setting asks for metrics.
 */
export async function addMetrics(
  app: Hono<HttpEnv>,
  authenticate: Authenticate,
  { clock, countQueues }: { clock: Clock; countQueues: () => Promise<QueueFigures> },
): Promise<CountAnswer> {
  const { Registry, Gauge, Histogram, collectDefaultMetrics } = await import('prom-client');
  const registry = new Registry();
  collectDefaultMetrics({ register: registry, prefix: 'commonplace_' });
  const answers = new Histogram({
    name: 'commonplace_http_request_duration_seconds',
    help: 'Time to answer a request.',
    labelNames: ['method', 'route', 'status'] as const,
    buckets: [0.001, 0.005, 0.02, 0.1, 0.5, 2, 10, 60],
    registers: [registry],
  });
  const gauge = <Label extends string>(name: string, help: string, labelNames: readonly Label[] = []) =>
    new Gauge({ name: `commonplace_${name}`, help, labelNames, registers: [registry] });
  const jobs = gauge('jobs', 'Items that wait, run, or are processed again in the background, of all accounts.', [
    'state',
  ]);
  const failed = gauge('failed_items', 'Items that were given up, by the code of their failure, of all accounts.', [
    'code',
  ]);
  const oldest = gauge(
    'oldest_waiting_seconds',
    'For how long an item has waited for its turn that it could have had.',
  );
  const age = gauge('jobs_age_seconds', 'Age of the oldest of the figures about jobs.');
  const uncounted = gauge('accounts_uncounted', 'Accounts with work that are missing from the figures about jobs.');
  const setQueues = (queues: QueueFigures): void => {
    for (const state of ['waiting', 'running', 'background'] as const) jobs.set({ state }, queues[state]);
    failed.reset();
    for (const [code, items] of Object.entries(queues.failed)) failed.set({ code }, items);
    oldest.set(queues.oldestDueAt === null ? 0 : Math.max(0, clock.now() - queues.oldestDueAt) / 1_000);
    age.set(queues.ageMs / 1_000);
    uncounted.set(queues.uncounted);
  };
  app.get('/metrics', async (context) => {
    const { accountId } = await authenticate(context);
    if (accountId !== localAccountId) {
      throw new AppError(
        'insufficient_scope',
        'These figures are about all accounts. Use a token of the server’s own account: commonplace token create metrics.',
      );
    }
    setQueues(await countQueues());
    return respond(context, 200, await registry.metrics(), {
      'Content-Type': registry.contentType,
      'Cache-Control': 'no-store',
    });
  });
  return ({ method, route, status, ms }) => answers.observe({ method, route, status: String(status) }, ms / 1_000);
}
