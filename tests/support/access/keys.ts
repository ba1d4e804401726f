import { localAccountId, localCaller } from '../../../src/domain/records/account.ts';
import type { Permission } from '../../../src/domain/access/permission.ts';
import type { App } from '../../../src/app/app.ts';

export interface MadeKey {
  id: string;
  secret: string;
}

/** A key as `commonplace token create --permissions` makes it. */
export async function makeKey(
  app: App,
  permissions: readonly Permission[],
  more: { account?: string; name?: string; lifetimeMs?: number; requestsPerMinute?: number } = {},
): Promise<MadeKey> {
  const { account = localAccountId, name = 'test', ...rest } = more;
  const maker = { ...localCaller(), accountId: account };
  const { id, secret = '' } = await app.services.keys.create(maker, { name, permissions, ...rest });
  return { id, secret };
}

interface RpcAnswer {
  status: number;
  result?: Record<string, unknown>;
  error?: { code: number; message: string };
}

/** One MCP message over HTTP, as a client without a session sends it. */
export function mcpMessage(method: string, params: Record<string, unknown> = {}) {
  return {
    method: 'POST',
    headers: { accept: 'application/json, text/event-stream', 'mcp-protocol-version': '2025-11-25' },
    body: { jsonrpc: '2.0', id: 7, method, params },
  };
}

/** The answer to an MCP message, whether it came as a body or as the last event of a stream. */
export function rpcAnswer({ status, text }: { status: number; text: string }): RpcAnswer {
  const events = text.split('\n').filter((line) => line.startsWith('data: '));
  return { status, ...(JSON.parse(events.at(-1)?.slice('data: '.length) ?? text) as object) };
}
