import { AppError } from '../../errors.ts';
import type { RequestThread } from '../../requests/request-thread.ts';
import type { HttpContext } from '../context.ts';
import { HttpRefusal } from '../problem.ts';
import type { BodyReader } from './read-body.ts';

/** The `charset` parameter of a Content-Type, in lower case; `utf-8` when it is absent. */
function charsetOf(parameters: readonly string[]): string {
  for (const parameter of parameters) {
    const [name = '', value = ''] = parameter.split('=', 2).map((part) => part.trim());
    if (name.toLowerCase() !== 'charset') continue;
    const isQuoted = value.length >= 2 && value.startsWith('"') && value.endsWith('"');
    return (isQuoted ? value.slice(1, -1) : value).toLowerCase();
  }
  return 'utf-8';
}

function requireJson({ headers }: Request): void {
  const [mediaType = '', ...parameters] = (headers.get('content-type') ?? '').split(';');
  const charset = charsetOf(parameters);
  const encoding = headers.get('content-encoding') ?? 'identity';
  if (
    mediaType.trim().toLowerCase() !== 'application/json' ||
    (charset !== 'utf-8' && charset !== 'utf8') ||
    encoding.toLowerCase() !== 'identity'
  ) {
    throw new HttpRefusal(
      'unsupported_media_type',
      'Bodies are JSON in UTF-8, not compressed: send Content-Type: application/json.',
      { headers: { Accept: 'application/json' } },
    );
  }
}

export interface BodyParts {
  bodies: BodyReader;
  requests: Pick<RequestThread, 'parse'>;
}

/** The limits that an operation sets for its body. */
export interface BodyLimits {
  maxBytes: number;
  /** Fields that may be too large for the main thread. */
  largeInputs: readonly string[];
}

/**
 * Reads a request's body as a JSON object; an absent body is an empty object.
 * @throws {AppError} what `BodyReader.read` throws; `unsupported_media_type`; `invalid_input` when it is not a JSON
 *   object
 */
export async function readJsonBody(
  context: HttpContext,
  { bodies, requests }: BodyParts,
  { maxBytes, largeInputs }: BodyLimits,
): Promise<object> {
  const json = await bodies.read(context, { maxBytes, takesLargeValues: largeInputs.length > 0 });
  if (json.size === 0) return {};
  requireJson(context.req.raw);
  const body = await requests.parse(json, { kind: 'input', names: largeInputs });
  if (typeof body !== 'object' || body === null || Array.isArray(body)) {
    throw new AppError('invalid_input', 'The body must be a JSON object, such as {"url": "https://example.org/"}.');
  }
  return body;
}
