import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/*
 * A server on 127.0.0.1 that plays the model behind a host. It speaks as much of three APIs as the hosts use: Anthropic's
 * messages, OpenAI's responses and chat completions, and Gemini's generateContent. Whatever it is asked, it calls the one tool
 * that it was told to call, and when it gets the result it repeats a word of it.
 */

/** What the host told its model. */
export interface Seen {
  /** Names of all tools that were offered, as the host names them. */
  tools: Set<string>;
  /** What came back from the tool that was called, as JSON. */
  result: string | null;
  /** Paths that were asked for and that the server does not know. */
  unknown: Set<string>;
  /** Bodies of the requests, to look at when a host changed its ways. */
  bodies: { path: string; body: string }[];
}

export interface FakeModel {
  url: string;
  seen: Seen;
  close: () => Promise<void>;
}

/** What the model says once it has the result. */
export const lastWords = 'The tool has answered.';

interface Reply {
  /** The tool to call, as this API names it; null to say the last words. */
  call: { name: string; namespace?: string } | null;
}

type Speak = (response: ServerResponse, reply: Reply) => void;

/** @param isWanted whether a tool of the host is the one to call */
export async function startFakeModel(isWanted: (name: string) => boolean): Promise<FakeModel> {
  const seen: Seen = { tools: new Set(), result: null, unknown: new Set(), bodies: [] };
  const server = createServer((request, response) => {
    void answer(request, response, seen, isWanted);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    seen,
    close: () => closeServer(server),
  };
}

function closeServer(server: Server): Promise<void> {
  server.closeAllConnections();
  return new Promise((resolve) => server.close(() => resolve()));
}

async function answer(
  request: IncomingMessage,
  response: ServerResponse,
  seen: Seen,
  isWanted: (name: string) => boolean,
): Promise<void> {
  let body = '';
  for await (const part of request.setEncoding('utf8')) body += String(part);
  const { pathname } = new URL(request.url ?? '/', 'http://localhost');
  seen.bodies.push({ path: `${request.method ?? ''} ${request.url ?? ''}`, body });
  const speak = speakers.find(({ path }) => path.test(pathname));
  if (speak === undefined || request.method !== 'POST') {
    seen.unknown.add(`${request.method ?? ''} ${pathname}`);
    response.writeHead(404, { 'content-type': 'application/json' }).end('{"error":{"message":"not played here"}}');
    return;
  }
  const asked = JSON.parse(body) as Record<string, unknown>;
  const tools = speak.tools(asked);
  for (const { name } of tools) seen.tools.add(name);
  const result = speak.result(asked);
  if (result !== null) seen.result = result;
  const wanted = tools.find(({ name }) => isWanted(name));
  speak.say(response, { call: result === null && wanted !== undefined ? wanted : null });
}

interface Speaker {
  path: RegExp;
  tools: (asked: Record<string, unknown>) => { name: string; namespace?: string }[];
  /** The result of the called tool among the messages; null when there is none. */
  result: (asked: Record<string, unknown>) => string | null;
  say: Speak;
}

type Fields = Record<string, unknown>;
const list = (value: unknown): Fields[] => (Array.isArray(value) ? (value as Fields[]) : []);

function events(response: ServerResponse, all: readonly Fields[], named: boolean): void {
  response.writeHead(200, { 'content-type': 'text/event-stream' });
  for (const event of all)
    response.write(`${named ? `event: ${String(event['type'])}\n` : ''}data: ${JSON.stringify(event)}\n\n`);
  response.end();
}

const anthropic: Speaker = {
  path: /\/v1\/messages$/,
  tools: (asked) => list(asked['tools']).map(({ name }) => ({ name: String(name) })),
  result: (asked) => {
    const parts = list(asked['messages']).flatMap(({ content }) => list(content));
    const found = parts.findLast(({ type }) => type === 'tool_result');
    return found === undefined ? null : JSON.stringify(found['content']);
  },
  say: (response, { call }) => {
    const block =
      call === null ? { type: 'text', text: '' } : { type: 'tool_use', id: 'toolu_1', name: call.name, input: {} };
    const delta =
      call === null ? { type: 'text_delta', text: lastWords } : { type: 'input_json_delta', partial_json: '{}' };
    const message = {
      id: 'msg_1',
      type: 'message',
      role: 'assistant',
      model: 'fake',
      content: [],
      stop_reason: null,
      stop_sequence: null,
      usage: { input_tokens: 1, output_tokens: 1 },
    };
    events(
      response,
      [
        { type: 'message_start', message },
        { type: 'content_block_start', index: 0, content_block: block },
        { type: 'content_block_delta', index: 0, delta },
        { type: 'content_block_stop', index: 0 },
        {
          type: 'message_delta',
          delta: { stop_reason: call === null ? 'end_turn' : 'tool_use', stop_sequence: null },
          usage: { output_tokens: 1 },
        },
        { type: 'message_stop' },
      ],
      true,
    );
  },
};

const openaiResponses: Speaker = {
  path: /\/responses$/,
  tools: (asked) =>
    list(asked['tools']).flatMap((tool) =>
      tool['type'] === 'namespace'
        ? list(tool['tools']).map(({ name }) => ({ name: String(name), namespace: String(tool['name']) }))
        : [{ name: String(tool['name'] ?? tool['type']) }],
    ),
  result: (asked) => {
    const found = list(asked['input']).findLast(({ type }) => type === 'function_call_output');
    return found === undefined ? null : JSON.stringify(found['output']);
  },
  say: (response, { call }) => {
    const item =
      call === null
        ? {
            type: 'message',
            id: 'item_1',
            role: 'assistant',
            content: [{ type: 'output_text', text: lastWords, annotations: [] }],
          }
        : { type: 'function_call', id: 'item_1', call_id: 'call_1', arguments: '{}', ...call };
    const usage = {
      input_tokens: 1,
      input_tokens_details: { cached_tokens: 0 },
      output_tokens: 1,
      output_tokens_details: { reasoning_tokens: 0 },
      total_tokens: 2,
    };
    events(
      response,
      [
        { type: 'response.created', response: { id: 'resp_1' } },
        { type: 'response.output_item.added', output_index: 0, item },
        { type: 'response.output_item.done', output_index: 0, item },
        { type: 'response.completed', response: { id: 'resp_1', status: 'completed', output: [item], usage } },
      ],
      true,
    );
  },
};

const openaiChat: Speaker = {
  path: /\/chat\/completions$/,
  tools: (asked) => list(asked['tools']).map((tool) => ({ name: String((tool['function'] as Fields)['name']) })),
  result: (asked) => {
    const found = list(asked['messages']).findLast(({ role }) => role === 'tool');
    return found === undefined ? null : JSON.stringify(found['content']);
  },
  say: (response, { call }) => {
    const head = { id: 'chat_1', object: 'chat.completion.chunk', created: 1, model: 'fake' };
    const delta =
      call === null
        ? { role: 'assistant', content: lastWords }
        : {
            role: 'assistant',
            tool_calls: [{ index: 0, id: 'call_1', type: 'function', function: { name: call.name, arguments: '{}' } }],
          };
    events(
      response,
      [
        { ...head, choices: [{ index: 0, delta, finish_reason: null }] },
        { ...head, choices: [{ index: 0, delta: {}, finish_reason: call === null ? 'stop' : 'tool_calls' }] },
      ],
      false,
    );
  },
};

const gemini: Speaker = {
  path: /:(?:streamGenerateContent|generateContent)$/,
  tools: (asked) =>
    list(asked['tools']).flatMap(({ functionDeclarations }) =>
      list(functionDeclarations).map(({ name }) => ({ name: String(name) })),
    ),
  result: (asked) => {
    const parts = list(asked['contents']).flatMap((content) => list(content['parts']));
    const found = parts.findLast((part) => part['functionResponse'] !== undefined);
    return found === undefined ? null : JSON.stringify(found['functionResponse']);
  },
  say: (response, { call }) => {
    const part = call === null ? { text: lastWords } : { functionCall: { name: call.name, args: {} } };
    events(
      response,
      [
        {
          candidates: [{ index: 0, content: { role: 'model', parts: [part] }, finishReason: 'STOP' }],
          usageMetadata: { promptTokenCount: 1, candidatesTokenCount: 1, totalTokenCount: 2 },
          modelVersion: 'fake',
        },
      ],
      false,
    );
  },
};

const speakers = [anthropic, openaiResponses, openaiChat, gemini];
