// The least that an MCP server over stdio can be, to compare the start of the real one with.
import { McpServer } from '@modelcontextprotocol/server';
import { serveStdio } from '@modelcontextprotocol/server/stdio';

serveStdio(() => new McpServer({ name: 'bare', version: '1.0.0' }, { capabilities: { tools: {} } }));
