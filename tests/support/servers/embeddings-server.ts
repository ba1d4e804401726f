import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

/** What the server was asked, as OpenAI's embeddings API has it. */
interface AskedVectors {
  model: string;
  input: string[];
  dimensions?: number;
  output_dimension?: number;
  input_type?: string;
  path: string;
  headers: Record<string, string | string[] | undefined>;
}

export type VectorReply =
  /** Vectors of the server's own making. */
  | 'well'
  | { vectors: unknown[]; indexes?: (number | null)[] }
  | { status: number; headers?: Record<string, string>; body?: string }
  /** Anything, with status 200. */
  | { text: string }
  | 'cut'
  | 'silence';

export interface EmbeddingsServer {
  /** The base URL, as the settings have it. */
  url: string;
  asked: AskedVectors[];
  reply: (asked: AskedVectors, number: number) => VectorReply | Promise<VectorReply>;
  /** Requests that were open at the same time, at most. */
  maxAtOnce: number;
  close(): Promise<void>;
}

export const serverDimensions = 8;

/** A vector that tells texts of different letters apart; no two texts are without any likeness. */
export function vectorOf(text: string, dimensions = serverDimensions): number[] {
  const vector = Array.from({ length: dimensions }, () => 1);
  for (const letter of text) {
    const at = (letter.codePointAt(0) ?? 0) % dimensions;
    vector[at] = (vector[at] ?? 0) + 1;
  }
  return vector;
}

/** A small server that speaks the embeddings API; `reply` decides what it says to each request. */
export async function startEmbeddingsServer(
  reply: EmbeddingsServer['reply'] = () => 'well',
): Promise<EmbeddingsServer> {
  const made: EmbeddingsServer = { url: '', asked: [], reply, maxAtOnce: 0, close: async () => undefined };
  let open = 0;
  const server = createServer((request, response) => {
    open += 1;
    made.maxAtOnce = Math.max(made.maxAtOnce, open);
    response.on('close', () => (open -= 1));
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', async () => {
      const asked: AskedVectors = {
        ...(JSON.parse(Buffer.concat(chunks).toString()) as AskedVectors),
        path: request.url ?? '',
        headers: request.headers,
      };
      made.asked.push(asked);
      const said = asked.path === '/v1/embeddings' ? await made.reply(asked, made.asked.length) : { status: 404 };
      if (said === 'silence') return;
      const json = { 'content-type': 'application/json' };
      if (said === 'cut') {
        response.writeHead(200, { ...json, 'content-length': '1000' });
        response.write('{"object":"list","data":[{"emb');
        setImmediate(() => response.destroy());
        return;
      }
      if (said !== 'well' && 'status' in said) {
        response.writeHead(said.status, { ...json, ...said.headers });
        response.end(said.body ?? JSON.stringify({ error: { message: 'SECRET PROVIDER TEXT' } }));
        return;
      }
      if (said !== 'well' && 'text' in said) {
        response.writeHead(200, { 'content-type': 'text/html' }).end(said.text);
        return;
      }
      const size = asked.dimensions ?? asked.output_dimension ?? serverDimensions;
      const vectors = said === 'well' ? asked.input.map((text) => vectorOf(text, size)) : said.vectors;
      const indexes = said === 'well' ? undefined : said.indexes;
      const data = vectors.map((embedding, index) => ({
        object: 'embedding',
        index: indexes === undefined ? index : indexes[index],
        embedding,
      }));
      response.writeHead(200, json).end(JSON.stringify({ object: 'list', data, model: asked.model }));
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  made.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`;
  made.close = () =>
    new Promise((resolve) => {
      server.close(() => resolve());
      server.closeAllConnections();
    });
  return made;
}
