import { createRequestStateCodec, McpServer } from '@modelcontextprotocol/server';
import { addTools } from '../../../src/mcp/server.ts';
import type { McpParts } from '../../../src/mcp/mcp-parts.ts';
import { addAskingTools } from './asking-fixtures.ts';
import { addPlainTools, addPrompts, addResources } from './plain-fixtures.ts';

/** Builds the product's server with the conformance suite's own tools, resources and prompts beside ours. */
export function createFixtureServer(parts: McpParts): McpServer {
  const { mint, verify } = createRequestStateCodec({ key: 'a key for tests, of no worth elsewhere' });
  const server = new McpServer(
    { name: 'commonplace', version: parts.version },
    {
      capabilities: {
        tools: { listChanged: false },
        resources: { subscribe: true, listChanged: false },
        prompts: { listChanged: false },
        logging: {},
        completions: {},
      },
      requestState: { verify },
    },
  );
  addTools(server, parts);
  addPlainTools(server);
  addAskingTools(server, (state) => mint(state));
  addResources(server);
  addPrompts(server);
  for (const method of ['resources/subscribe', 'resources/unsubscribe'] as const) {
    server.server.setRequestHandler(method, () => ({}));
  }
  return server;
}
