import { AppError } from '../errors.ts';
import { HttpRefusal } from './problem.ts';

function tooLarge(maxBytes: number): HttpRefusal {
  return new HttpRefusal(
    'payload_too_large',
    `The body is larger than ${maxBytes} bytes, the most that is read here.`,
    {
      // What is still on its way is not waited for.
      headers: { Connection: 'close' },
    },
  );
}

/** @throws {AppError} `payload_too_large`; `cancelled` when it ends before its end, by a hang-up or by chunks that are none */
async function readBytes(request: Request, maxBytes: number): Promise<Uint8Array> {
  try {
    return await readStream(request, maxBytes);
  } catch (error) {
    if (error instanceof AppError) throw error;
    throw new AppError('cancelled', 'The body did not arrive whole.', { cause: error });
  }
}

async function readStream(request: Request, maxBytes: number): Promise<Uint8Array> {
  const length = request.headers.get('content-length');
  if (length !== null && !request.headers.has('transfer-encoding')) {
    // Node's parser holds the sender to the length that was announced.
    if (Number(length) > maxBytes) throw tooLarge(maxBytes);
    return new Uint8Array(await request.arrayBuffer());
  }
  const chunks: Uint8Array[] = [];
  let size = 0;
  if (request.body !== null) {
    for await (const chunk of request.body as ReadableStream<Uint8Array>) {
      size += chunk.length;
      if (size > maxBytes) throw tooLarge(maxBytes);
      chunks.push(chunk);
    }
  }
  return Buffer.concat(chunks);
}

/** What a parameter of a media type names as the charset, without quotation marks. */
function charsetIn(parameter: string): string | undefined {
  const equals = parameter.indexOf('=');
  if (parameter.slice(0, equals).trim().toLowerCase() !== 'charset') return undefined;
  return parameter
    .slice(equals + 1)
    .trim()
    .replace(/^"/, '')
    .replace(/"$/, '')
    .trim();
}

function requireJson(request: Request): void {
  const [mediaType = '', ...parameters] = (request.headers.get('content-type') ?? '').split(';');
  const charset = parameters.map(charsetIn).find(Boolean) ?? 'utf-8';
  const encoding = request.headers.get('content-encoding') ?? 'identity';
  if (
    mediaType.trim().toLowerCase() !== 'application/json' ||
    !/^utf-?8$/i.test(charset) ||
    encoding.toLowerCase() !== 'identity'
  ) {
    throw new HttpRefusal(
      'unsupported_media_type',
      'Bodies are JSON in UTF-8, not compressed: send Content-Type: application/json.',
      { headers: { Accept: 'application/json' } },
    );
  }
}

/**
 * Reads a request's body as a JSON object; an absent one is an empty object.
 * @throws {AppError} `payload_too_large`, `unsupported_media_type`, or `invalid_input` when it is no JSON object
 */
export async function readJsonBody(request: Request, maxBytes: number): Promise<object> {
  const bytes = await readBytes(request, maxBytes);
  if (bytes.length === 0) return {};
  requireJson(request);
  let body: unknown;
  try {
    body = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes));
  } catch (error) {
    throw new AppError('invalid_input', 'The body is not valid JSON in UTF-8.', { cause: error });
  }
  if (typeof body !== 'object' || body === null || Array.isArray(body)) {
    throw new AppError('invalid_input', 'The body must be a JSON object, such as {"url": "https://example.org/"}.');
  }
  return body;
}
