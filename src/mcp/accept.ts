const neededTypes = ['application/json', 'text/event-stream'] as const;

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
 * Whether a client accepts both response types of streamable HTTP. The protocol requires both types by name. This
 * server also accepts wildcards, which general HTTP clients send, and a missing header (RFC 9110, 12.5.1).
 */
export function acceptsStreams(accept: string | null): boolean {
  if (accept === null) return true;
  const ranges = acceptedRanges(accept);
  return neededTypes.every((type) =>
    ranges.some((range) => range === type || range === '*/*' || range === `${type.split('/')[0]}/*`),
  );
}

/**
 * A request with both types in its Accept header, because the SDK looks for both by name. It has no body: the body has
 * already been read.
 */
export function withStreamsAccepted(request: Request): Request {
  const accept = request.headers.get('accept') ?? '';
  if (neededTypes.every((type) => accept.includes(type))) return request;
  const headers = new Headers(request.headers);
  headers.set('accept', neededTypes.join(', '));
  return new Request(request.url, { method: request.method, headers, signal: request.signal });
}
