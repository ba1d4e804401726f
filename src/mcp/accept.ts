const json = 'application/json';
const stream = 'text/event-stream';

/** The media ranges of an Accept header in lower case, without their parameters and without those of quality 0. */
function acceptedRanges(accept: string): string[] {
  return accept
    .toLowerCase()
    .split(',')
    .map((range) => range.split(';').map((part) => part.trim()))
    .filter((parts) => !parts.some((part) => /^q\s*=\s*0(\.0*)?$/.test(part)))
    .map(([type = '']) => type);
}

/**
 * How a client wants its responses: the protocol requires both types by name. This server also accepts wildcards, which
 * general HTTP clients send, a missing header (RFC 9110, 12.5.1), and JSON alone. Null: it takes no JSON.
 */
export function wantedResponse(accept: string | null): 'stream' | 'json' | null {
  const ranges = acceptedRanges(accept ?? '*/*');
  const takes = (type: string) =>
    ranges.some((range) => range === type || range === '*/*' || range === `${type.split('/')[0]}/*`);
  if (!takes(json)) return null;
  return takes(stream) ? 'stream' : 'json';
}

/**
 * A request with both types in its Accept header, because the SDK looks for both by name, and with only those of the
 * given headers that it is to see. It has no body: the body has already been read.
 */
export function withStreamsAccepted(request: Request, leftOut: readonly string[] = []): Request {
  const headers = new Headers(request.headers);
  headers.set('accept', `${json}, ${stream}`);
  for (const name of leftOut) headers.delete(name);
  return new Request(request.url, { method: request.method, headers, signal: request.signal });
}

/** The last message of a stream, which answers the request, as JSON. The messages before it report progress. */
export async function asJson(response: Response): Promise<Response> {
  if (response.headers.get('content-type')?.startsWith(stream) !== true) return response;
  const events = (await response.text()).split(/\r?\n/);
  const last = events.findLast((line) => line.startsWith('data:') && line.length > 'data: '.length);
  const headers = new Headers(response.headers);
  headers.set('content-type', json);
  return new Response(last?.slice('data:'.length).trim() ?? null, { status: response.status, headers });
}
