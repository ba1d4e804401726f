import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** What the server was asked, as the Messages API has it. */
export interface AskedMessage {
  model: string;
  max_tokens: number;
  system: { text: string; cache_control?: object }[];
  messages: { role: string; content: string }[];
  output_config?: { format?: { type: string; schema: object } };
  tools?: unknown;
  temperature?: unknown;
  headers: Record<string, string | string[] | undefined>;
}

export type Reply =
  | { text: string; stopReason?: string; usage?: object | null }
  | { status: number; headers?: Record<string, string>; body?: unknown }
  | 'cut'
  | 'drip'
  | 'flood'
  | 'silence';

/** A small server that speaks the Messages API; `reply` decides what it says to each request. */
export interface MessagesServer {
  url: string;
  asked: AskedMessage[];
  reply: (asked: AskedMessage, number: number) => Reply | Promise<Reply>;
  close(): Promise<void>;
}

export async function startMessagesServer(reply: MessagesServer['reply']): Promise<MessagesServer> {
  const made: MessagesServer = { url: '', asked: [], reply, close: async () => undefined };
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => void answer(request, response, chunks));
  });
  const answer = async (request: IncomingMessage, response: ServerResponse, chunks: readonly Buffer[]) => {
    const asked = {
      ...(JSON.parse(Buffer.concat(chunks).toString()) as AskedMessage),
      headers: request.headers,
    };
    made.asked.push(asked);
    const said = request.url === '/v1/messages' ? await made.reply(asked, made.asked.length) : { status: 404 };
    if (said === 'silence') return;
    if (said === 'drip' || said === 'flood') {
      response.writeHead(200, { 'content-type': 'application/json' });
      const piece = said === 'drip' ? ' ' : ' '.repeat(1024 * 1024);
      const writing = setInterval(() => response.write(piece), said === 'drip' ? 20 : 1);
      response.on('close', () => clearInterval(writing));
      response.on('error', () => undefined);
      return;
    }
    if (said === 'cut') {
      response.writeHead(200, { 'content-type': 'application/json', 'content-length': '1000' });
      response.write('{"id":"msg_1","content":[{"type":"te');
      setImmediate(() => response.destroy());
      return;
    }
    const json = { 'content-type': 'application/json' };
    if ('status' in said) {
      response.writeHead(said.status, { ...json, ...said.headers });
      response.end(
        JSON.stringify(said.body ?? { type: 'error', error: { type: 'x', message: 'SECRET PROVIDER TEXT' } }),
      );
      return;
    }
    response.writeHead(200, json).end(
      JSON.stringify({
        id: 'msg_1',
        type: 'message',
        role: 'assistant',
        model: asked.model,
        content:
          said.text === ''
            ? []
            : [
                { type: 'thinking', thinking: 'hm' },
                { type: 'text', text: said.text },
              ],
        stop_reason: said.stopReason ?? 'end_turn',
        stop_sequence: null,
        usage: said.usage === undefined ? { input_tokens: 1_000, output_tokens: 100 } : said.usage,
      }),
    );
  };
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  made.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  made.close = () =>
    new Promise((resolve) => {
      server.close(() => resolve());
      server.closeAllConnections();
    });
  return made;
}

/** The document between the marks of a request. */
export function documentOf(asked: AskedMessage): string {
  const content = asked.messages[0]?.content ?? '';
  return /<document [0-9a-f]+>\n([\s\S]*)\n<\/document [0-9a-f]+>$/.exec(content)?.[1] ?? '';
}

export function draftJson(parts: { summary?: string; insights?: object[]; actions?: object[] } = {}): string {
  return JSON.stringify({ summary: 'A written summary.', insights: [], actions: [], ...parts });
}
