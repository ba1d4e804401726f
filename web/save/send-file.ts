import { CallError, wordsOf } from '../calls.ts';

/**
 * Sends a file as it is, or a form with one. `fetch` does not tell how much was sent, so this is an `XMLHttpRequest`.
 * @param onSent told the share that was sent, from 0 to 1
 * @throws {CallError}
 */
export function sendFile<Answer>(
  path: string,
  body: Blob | FormData,
  formToken: string,
  onSent: (share: number) => void = () => undefined,
): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const request = new XMLHttpRequest();
    request.open('POST', path);
    request.setRequestHeader('x-commonplace-form', formToken);
    if (body instanceof Blob) request.setRequestHeader('content-type', 'application/octet-stream');
    request.responseType = 'json';
    request.upload.addEventListener('progress', ({ loaded, total }) => onSent(total === 0 ? 0 : loaded / total));
    request.addEventListener('load', () => {
      const answer: unknown = request.response;
      if (request.status >= 200 && request.status < 300) resolve(answer as Answer);
      else reject(new CallError(wordsOf(answer ?? {}), request.status));
    });
    request.addEventListener('error', () => reject(new CallError('', 0)));
    request.send(body);
  });
}
