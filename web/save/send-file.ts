import { CallError, wordsOf } from '../calls.ts';
import { text } from '../text.ts';
import type { About } from './what.ts';

/**
 * Sends a file to be saved. `fetch` does not tell how much was sent, so this is an `XMLHttpRequest`.
 * @param onSent told the share that was sent, from 0 to 1
 */
export function sendFile<Answer>(
  file: File,
  { tags, notes }: About,
  formToken: string,
  onSent: (share: number) => void,
): Promise<Answer> {
  const query = new URLSearchParams({ name: file.name });
  for (const tag of tags) query.append('tag', tag);
  if (notes.trim() !== '') query.set('notes', notes);
  return new Promise((resolve, reject) => {
    const request = new XMLHttpRequest();
    request.open('POST', `/app/file?${query}`);
    request.setRequestHeader('x-commonplace-form', formToken);
    request.setRequestHeader('content-type', 'application/octet-stream');
    request.responseType = 'json';
    request.upload.addEventListener('progress', ({ loaded, total }) => onSent(total === 0 ? 0 : loaded / total));
    request.addEventListener('load', () => {
      const answer: unknown = request.response;
      if (request.status === 200) resolve(answer as Answer);
      else reject(new CallError(wordsOf(answer ?? {}) || text.save.notSaved, request.status));
    });
    request.addEventListener('error', () => reject(new CallError('', 0)));
    request.send(file);
  });
}
