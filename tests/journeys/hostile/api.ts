import { setTimeout as sleep } from 'node:timers/promises';

/** What the attack needs of the REST API, as one account. */
export interface Api {
  /** Any call. The body is sent as JSON, a text as it is. */
  call<T>(method: string, path: string, body?: unknown): Promise<{ status: number; body: T }>;
  save(body: Record<string, unknown>): Promise<SaveAnswer>;
  delete(id: string): Promise<void>;
  statusOf(id: string): Promise<string>;
  /** Items whose first attempt is not over. */
  countUnfinished(): Promise<number>;
  /** How many items failed, for good or until the next attempt, by code. */
  countFailures(): Promise<Record<string, number>>;
}

interface SaveAnswer {
  status: number;
  id: string | null;
}

/** Every call is given up when `deadline` aborts: it rejects, except `save`, which answers the status 0. */
export function createApi(base: string, token: string, deadline: AbortSignal): Api {
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
  const call: Api['call'] = async <T>(method: string, path: string, body?: unknown) => {
    const sent: RequestInit = { method, headers, signal: deadline };
    if (body !== undefined) sent.body = typeof body === 'string' ? body : JSON.stringify(body);
    let answer = await fetch(`${base}${path}`, sent);
    // The attacker's own attacks may use up what it may send at once.
    while (answer.status === 429) {
      await answer.arrayBuffer();
      await sleep(500, undefined, { signal: deadline });
      answer = await fetch(`${base}${path}`, sent);
    }
    return { status: answer.status, body: (await answer.json()) as T };
  };
  const read = async <T>(path: string): Promise<T> => {
    const { status, body } = await call<T>('GET', path);
    if (status !== 200) throw new Error(`GET ${path} answered ${status}`);
    return body;
  };
  const list = async (status: string): Promise<{ failure?: { code: string } | null }[]> => {
    const listed: { failure?: { code: string } | null }[] = [];
    for (let offset = 0; ; offset += 100) {
      const path = `/content?status=${status}&limit=100&offset=${offset}`;
      const { items } = await read<{ items: { failure?: { code: string } | null }[] }>(path);
      listed.push(...items);
      if (items.length < 100) return listed;
    }
  };
  const isUntried = ({ failure }: { failure?: object | null }): boolean => (failure ?? null) === null;
  return {
    call,
    async save(body) {
      const sent = fetch(`${base}/content`, { method: 'POST', headers, body: JSON.stringify(body), signal: deadline });
      // A body that is refused is not read to its end, which breaks the connection under a client that is still writing.
      const answer = await sent.catch(() => null);
      if (answer === null) return { status: 0, id: null };
      const said = (await answer.json()) as { id?: string };
      return { status: answer.status, id: answer.ok ? (said.id ?? null) : null };
    },
    async delete(id) {
      const call = { name: 'delete_content', arguments: { id } };
      const answer = await fetch(`${base}/mcp`, {
        method: 'POST',
        headers: { ...headers, accept: 'application/json, text/event-stream' },
        body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params: call }),
        signal: deadline,
      });
      const said = await answer.text();
      if (!said.includes('deletedAt')) throw new Error(`deleting ${id} was answered ${answer.status}`);
    },
    statusOf: async (id) => (await read<{ status: string }>(`/content/${id}`)).status,
    countUnfinished: async () => [...(await list('pending')), ...(await list('processing'))].filter(isUntried).length,
    async countFailures() {
      const counts: Record<string, number> = {};
      const waiting = (await list('pending')).filter((item) => !isUntried(item));
      for (const { failure } of [...(await list('failed')), ...waiting]) {
        const code = failure?.code ?? 'none';
        counts[code] = (counts[code] ?? 0) + 1;
      }
      return counts;
    },
  };
}
