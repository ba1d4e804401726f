import { setTimeout as sleep } from 'node:timers/promises';
import {
  completable,
  ResourceTemplate,
  type CallToolResult,
  type McpServer,
  type ServerContext,
} from '@modelcontextprotocol/server';
import { z } from 'zod';

/*
 * What the conformance suite wants to find on a server: tools, resources and prompts of its own making, with the
 * names and answers that its scenarios describe. They exist in these tests alone.
 */

/** One red pixel, and a sound of no length. */
const png = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8DwHwAFBQIAX8jx0gAAAABJRU5ErkJggg==';
const wav = 'UklGRiQAAABXQVZFZm10IBAAAAABAAEAQB8AAIA+AAACABAAZGF0YQAAAAA=';

const text = (words: string) => ({ content: [{ type: 'text' as const, text: words }] });
const image = { type: 'image' as const, data: png, mimeType: 'image/png' };

export function addPlainTools(server: McpServer): void {
  const tool = (name: string, run: (context: ServerContext) => CallToolResult | Promise<CallToolResult>) =>
    server.registerTool(name, { description: `Of the conformance suite: ${name}` }, run);

  tool('test_simple_text', () => text('This is a simple text response for testing.'));
  tool('test_image_content', () => ({ content: [image] }));
  tool('test_audio_content', () => ({ content: [{ type: 'audio', data: wav, mimeType: 'audio/wav' }] }));
  tool('test_embedded_resource', () => ({
    content: [
      {
        type: 'resource',
        resource: {
          uri: 'test://embedded-resource',
          mimeType: 'text/plain',
          text: 'This is an embedded resource content.',
        },
      },
    ],
  }));
  tool('test_multiple_content_types', () => ({
    content: [
      { type: 'text', text: 'Multiple content types test:' },
      image,
      {
        type: 'resource',
        resource: {
          uri: 'test://mixed-content-resource',
          mimeType: 'application/json',
          text: JSON.stringify({ test: 'data', value: 123 }),
        },
      },
    ],
  }));
  tool('test_error_handling', () => ({
    isError: true,
    ...text('This tool intentionally returns an error for testing'),
  }));
  tool('test_tool_with_logging', async (context) => {
    for (const words of ['Tool execution started', 'Tool processing data', 'Tool execution completed']) {
      await context.mcpReq.log('info', words);
      await sleep(50);
    }
    return text('Logged three times.');
  });
  tool('test_logging_tool', async (context) => {
    await context.mcpReq.log('info', 'Only who asked for it may read this');
    return text('Logged once.');
  });
  tool('test_tool_with_progress', async (context) => {
    const progressToken = context.mcpReq._meta?.progressToken;
    for (const progress of [0, 50, 100]) {
      if (progressToken !== undefined) {
        await context.mcpReq.notify({
          method: 'notifications/progress',
          params: { progressToken, progress, total: 100 },
        });
      }
      await sleep(50);
    }
    return text('Reported three times.');
  });
  server.registerTool(
    'test_headers',
    { description: 'Of the conformance suite: a header that repeats an input', inputSchema: listedAs(headerSchema) },
    () => text('Taken.'),
  );
  server.registerTool(
    'json_schema_2020_12_tool',
    { description: 'Of the conformance suite: JSON Schema 2020-12', inputSchema: listedAs(addressSchema) },
    () => text('Taken.'),
  );
}

/** Lists a JSON Schema as it stands and takes everything. */
const listedAs = (schema: Record<string, unknown>) => ({
  '~standard': {
    version: 1 as const,
    vendor: 'conformance',
    validate: (value: unknown) => ({ value: value as Record<string, unknown> }),
    jsonSchema: { input: () => schema, output: () => schema },
  },
});

const headerSchema = {
  type: 'object',
  properties: { region: { type: 'string', 'x-mcp-header': 'Region' } },
  required: ['region'],
};

const addressSchema = {
  $schema: 'https://json-schema.org/draft/2020-12/schema',
  type: 'object',
  $defs: {
    address: {
      $anchor: 'addressDef',
      type: 'object',
      properties: { street: { type: 'string' }, city: { type: 'string' } },
    },
  },
  properties: {
    name: { type: 'string' },
    address: { $ref: '#/$defs/address' },
    contactMethod: { type: 'string', enum: ['phone', 'email'] },
    phone: { type: 'string' },
    email: { type: 'string' },
  },
  allOf: [{ anyOf: [{ required: ['phone'] }, { required: ['email'] }] }],
  if: { properties: { contactMethod: { const: 'phone' } }, required: ['contactMethod'] },
  // oxlint-disable-next-line unicorn/no-thenable -- a keyword of JSON Schema
  then: { required: ['phone'] },
  else: { required: ['email'] },
  additionalProperties: false,
};

export function addResources(server: McpServer): void {
  const plain = { mimeType: 'text/plain' };
  server.registerResource('static-text', 'test://static-text', { description: 'A text', ...plain }, (uri) => ({
    contents: [{ uri: uri.href, ...plain, text: 'This is the content of the static text resource.' }],
  }));
  server.registerResource(
    'static-binary',
    'test://static-binary',
    { description: 'A picture', mimeType: 'image/png' },
    (uri) => ({ contents: [{ uri: uri.href, mimeType: 'image/png', blob: png }] }),
  );
  server.registerResource(
    'watched',
    'test://watched-resource',
    { description: 'A changing text', ...plain },
    (uri) => ({
      contents: [{ uri: uri.href, ...plain, text: 'Watched.' }],
    }),
  );
  server.registerResource(
    'template',
    new ResourceTemplate('test://template/{id}/data', { list: undefined }),
    { description: 'One per id', mimeType: 'application/json' },
    (uri, { id }) => ({
      contents: [
        {
          uri: uri.href,
          mimeType: 'application/json',
          text: JSON.stringify({ id, templateTest: true, data: `Data for ID: ${String(id)}` }),
        },
      ],
    }),
  );
}

export function addPrompts(server: McpServer): void {
  const said = (words: string) => ({ role: 'user' as const, content: { type: 'text' as const, text: words } });
  server.registerPrompt('test_simple_prompt', { description: 'Without arguments' }, () => ({
    messages: [said('This is a simple prompt for testing.')],
  }));
  server.registerPrompt(
    'test_prompt_with_arguments',
    {
      description: 'With two arguments',
      argsSchema: z.object({
        arg1: completable(z.string(), (start) => ['paris', 'park', 'party'].filter((word) => word.startsWith(start))),
        arg2: z.string(),
      }),
    },
    ({ arg1, arg2 }) => ({ messages: [said(`Prompt with arguments: arg1='${arg1}', arg2='${arg2}'`)] }),
  );
  server.registerPrompt(
    'test_prompt_with_embedded_resource',
    { description: 'With a resource in it', argsSchema: z.object({ resourceUri: z.string() }) },
    ({ resourceUri }) => ({
      messages: [
        {
          role: 'user',
          content: {
            type: 'resource',
            resource: { uri: resourceUri, mimeType: 'text/plain', text: 'Embedded resource content for testing.' },
          },
        },
        said('Please process the embedded resource above.'),
      ],
    }),
  );
  server.registerPrompt('test_prompt_with_image', { description: 'With a picture in it' }, () => ({
    messages: [{ role: 'user', content: image }, said('Please analyze the image above.')],
  }));
}
