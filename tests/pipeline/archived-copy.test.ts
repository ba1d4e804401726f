import { expect, it } from 'vitest';
import { archivedCopyOf } from '../../src/domain/links/archived-copy.ts';
import { ProcessingError } from '../../src/errors.ts';
import { fetchArchivedCopy, unreadableCopy } from '../../src/pipeline/archived-copy.ts';

const gone = new ProcessingError('not_found', 'There is no page.');
const page = { url: 'https://example.com/essay', closestTo: 0 };
const signal = new AbortController().signal;

/** What becomes of a page that is gone when the archive answers so. */
async function outcome(answer: 'none' | 'not asked' | Error): Promise<ProcessingError> {
  const find = async () => {
    if (answer instanceof Error) throw answer;
    return answer;
  };
  return fetchArchivedCopy({ name: 'archive.example', find }, gone, page, signal, 'local').then(
    () => expect.unreachable(),
    (error: unknown) => error as ProcessingError,
  );
}

it.each([
  ['none' as const, 'There is no page. The web archive archive.example names no copy of it, either.', false, undefined],
  ['not asked' as const, 'There is no page.', false, undefined],
  [
    new ProcessingError('rate_limited', 'Later.', { retryable: true, retryAfterMs: 120_000 }),
    'There is no page. The web archive archive.example could not be asked for a copy.',
    true,
    120_000,
  ],
  [
    new ProcessingError('too_large', 'Large.'),
    'There is no page. The web archive archive.example did not deliver its copy.',
    false,
    undefined,
  ],
])("keeps the reason and adds the archive's answer: %s", async (answer, message, retryable, retryAfterMs) => {
  const { code, ...error } = await outcome(answer);
  expect({ code, retryable: error.retryable, retryAfterMs: error.retryAfterMs }).toEqual({
    code: 'not_found',
    retryable,
    retryAfterMs,
  });
  expect((await outcome(answer)).message).toBe(message);
});

it('waits for the network when the machine has none', async () => {
  const offline = new ProcessingError('offline', 'No network.', { retryable: true });
  expect(await outcome(offline)).toBe(offline);
});

it('says that an unreadable text is an archived copy', () => {
  const copy = { archive: 'archive.example', date: '2019-03-04', url: 'https://archive.example/web/1/x' };
  const error = unreadableCopy(new ProcessingError('soft_404', 'The page says that it is gone.'), copy);
  expect(error.code).toBe('soft_404');
  expect(error.message).toMatchInlineSnapshot(
    `"The page is gone from its address. The web archive archive.example has a copy of 2019-03-04 (https://archive.example/web/1/x), which could not be read: The page says that it is gone."`,
  );
});

it.each([
  ['the page itself', 'https://example.com/essay', 'https://example.com/essay'],
  ['a page to which another one led', 'https://example.com/old', 'https://example.com/essay'],
  [
    'a copy of another page',
    'https://archive.example/web/20190304050607id_/https://example.com/other',
    'https://example.com/essay',
  ],
  [
    'a copy that was saved by its own address',
    'https://archive.example/web/20190304050607id_/https://example.com/essay',
    'https://archive.example/web/20190304050607id_/https://example.com/essay',
  ],
  ['no date', 'https://archive.example/web/20191304050607id_/https://example.com/essay', 'https://example.com/essay'],
])('does not treat an original as an archived copy when it is %s', (_, url, finalUrl) => {
  expect(archivedCopyOf({ url, finalUrl }, 'https://example.com/essay#part')).toBeNull();
});

it('recognises an archived copy by its two addresses', () => {
  const url = 'https://archive.example/web/20190304050607id_/https://example.com/essay';
  expect(archivedCopyOf({ url, finalUrl: page.url }, `${page.url}#part`)).toEqual({
    archive: 'archive.example',
    date: '2019-03-04',
    url: 'https://archive.example/web/20190304050607/https://example.com/essay',
  });
  expect(archivedCopyOf({ url, finalUrl: page.url }, 'note:abc')).toBeNull();
});
