/*
 * A client as somebody writes it who has read the contract's first part and nothing else: its paths, fields,
 * parameters, values and statuses. It knows no type of ours, and no field that the text does not name.
 */

/** What the contract fixes of a content item. */
export interface ContractItem {
  id: string;
  url: string;
  title: string | null;
  summary: string | null;
  keyInsights: unknown[];
  actions: unknown[];
  transcript?: string;
  contentType: string | null;
  status: 'pending' | 'processing' | 'completed' | 'failed';
}

export class ContractError extends Error {
  readonly status: number;
  constructor(status: number) {
    super(`answered ${status}`);
    this.status = status;
  }
}

export interface ContractClient {
  listContent(filter?: {
    limit?: number;
    offset?: number;
    contentType?: string;
    status?: string;
    tags?: string[];
  }): Promise<Record<string, unknown>>;
  getContent(id: string): Promise<ContractItem>;
  save(item: { url: string; tags?: string[]; notes?: string }): Promise<{ status: number; item: ContractItem }>;
  search(question: {
    query: string;
    limit?: number;
    filters?: { contentType?: string; tags?: string[] };
  }): Promise<Record<string, unknown>>;
  listActions(filter?: { completed?: boolean; contentId?: string; goalId?: string }): Promise<Record<string, unknown>>;
  completeAction(id: string): Promise<Record<string, unknown>>;
  listGoals(): Promise<Record<string, unknown>>;
}

export function createContractClient(base: string, token: string): ContractClient {
  const call = async <T>(method: string, path: string, body?: unknown): Promise<{ status: number; answer: T }> => {
    const response = await fetch(`${base}${path}`, {
      method,
      headers: { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json' },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
    if (!response.ok) throw new ContractError(response.status);
    return { status: response.status, answer: (await response.json()) as T };
  };
  const get = async <T>(path: string) => (await call<T>('GET', path)).answer;
  const query = (filter: Record<string, unknown>) => {
    const parameters = Object.entries(filter).map(
      ([name, value]) => [name, Array.isArray(value) ? value.join(',') : String(value)] as [string, string],
    );
    return parameters.length === 0 ? '' : `?${new URLSearchParams(parameters).toString()}`;
  };
  return {
    listContent: (filter = {}) => get(`/content${query(filter)}`),
    getContent: (id) => get(`/content/${id}`),
    save: async (item) => {
      const { status, answer } = await call<ContractItem>('POST', '/content', item);
      return { status, item: answer };
    },
    search: async (question) => (await call<Record<string, unknown>>('POST', '/search', question)).answer,
    listActions: (filter = {}) => get(`/actions${query(filter)}`),
    completeAction: async (id) => (await call<Record<string, unknown>>('POST', `/actions/${id}/complete`)).answer,
    listGoals: () => get('/goals'),
  };
}
