const neededTypes = ['application/json', 'text/event-stream'] as const;

/** The media ranges of an Accept header that are wanted at all, without their parameters. */
function acceptedRanges(accept: string): string[] {
  return accept
    .toLowerCase()
    .split(',')
    .map((range) => range.split(';').map((part) => part.trim()))
    .filter((parts) => !parts.some((part) => /^q\s*=\s*0(\.0*)?$/.test(part)))
    .map(([type = '']) => type);
}

/**
 * Whether a client takes both of the forms in which streamable HTTP answers. The protocol wants both types by name; the
 * range of all types, which general HTTP clients send, and no header at all mean them, too (RFC 9110, 12.5.1).
 */
export function acceptsStreams(accept: string | null): boolean {
  if (accept === null) return true;
  const ranges = acceptedRanges(accept);
  return neededTypes.every((type) =>
    ranges.some((range) => range === type || range === '*/*' || range === `${type.split('/')[0]}/*`),
  );
}

/** The request as the SDK takes it, which looks for both types by name. The body has been read already. */
export function withStreamsAccepted(request: Request): Request {
  const accept = request.headers.get('accept') ?? '';
  if (neededTypes.every((type) => accept.includes(type))) return request;
  const headers = new Headers(request.headers);
  headers.set('accept', neededTypes.join(', '));
  return new Request(request.url, { method: request.method, headers, signal: request.signal });
}
