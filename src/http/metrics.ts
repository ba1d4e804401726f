import type { Hono } from 'hono';
import type { Authenticate } from './auth.ts';
import { respond, type HttpEnv } from './context.ts';

export type CountAnswer = (answer: { method: string; route: string; status: number; ms: number }) => void;

/**
 * `/metrics` in the form that Prometheus reads, for whoever has a token. prom-client takes 150 ms to load: this
 * module is imported only when the setting asks for it.
 */
export async function addMetrics(app: Hono<HttpEnv>, authenticate: Authenticate): Promise<CountAnswer> {
  const { Registry, Histogram, collectDefaultMetrics } = await import('prom-client');
  const registry = new Registry();
  collectDefaultMetrics({ register: registry, prefix: 'commonplace_' });
  const answers = new Histogram({
    name: 'commonplace_http_request_duration_seconds',
    help: 'Time to answer a request.',
    labelNames: ['method', 'route', 'status'] as const,
    buckets: [0.001, 0.005, 0.02, 0.1, 0.5, 2, 10, 60],
    registers: [registry],
  });
  app.get('/metrics', async (context) => {
    await authenticate(context);
    return respond(context, 200, await registry.metrics(), {
      'Content-Type': registry.contentType,
      'Cache-Control': 'no-store',
    });
  });
  return ({ method, route, status, ms }) => answers.observe({ method, route, status: String(status) }, ms / 1_000);
}
