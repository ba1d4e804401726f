import { createHash, randomBytes } from 'node:crypto';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { openObjectStore } from '../../../src/app/installations/postgres-installation.ts';
import { loadConfig } from '../../../src/settings/config.ts';
import {
  type ObjectStore,
  objectStoreBase,
  parseObjectStoreUrl,
} from '../../../src/store/postgres/blobs/object-store.ts';
import { openS3ObjectStore } from '../../../src/store/postgres/blobs/s3-object-store.ts';
import { type Fault, impatientClock, S3Server } from '../../support/servers/s3-server.ts';

let server: S3Server;
let objects: ObjectStore;
beforeAll(async () => {
  server = await S3Server.start();
  objects = server.open();
});
afterEach(() => server.failNext());
afterAll(() => server.stop());

const sha256 = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest();
const bytes = randomBytes(300_000);
const key = { account: 'u_aaaaaaaaaaaaaaaa', name: 'one' };
const unavailable = (words: string) =>
  expect.objectContaining({ code: 'unavailable', message: expect.stringContaining(words) as string }) as Error;

const answering =
  (status: number, headers: Record<string, string> = {}): Fault =>
  (asked, answer) => {
    asked.resume();
    answer.writeHead(status, headers).end('<Error><Code>SlowDown</Code></Error>');
    return true;
  };
const cutting: Fault = (_asked, answer) => {
  answer.writeHead(200, { 'content-length': String(bytes.length) });
  answer.write(bytes.subarray(0, 1_000), () => answer.destroy());
  return true;
};

describe('objects in a bucket', () => {
  it('return as they were stored, are listed by account, and can be deleted', async () => {
    const other = { account: 'u_bbbbbbbbbbbbbbbb', name: 'one' };
    await objects.put(key, bytes, sha256(bytes));
    await objects.put(other, Buffer.from('other'), sha256(Buffer.from('other')));
    expect(Buffer.from((await objects.get(key, bytes.length))!).equals(bytes)).toBe(true);
    expect(await objects.list(key.account)).toEqual(['one']);
    await objects.delete(key);
    await objects.delete(key);
    expect(await objects.get(key, bytes.length)).toBeNull();
    expect(await objects.list(key.account)).toEqual([]);
    expect(Buffer.from((await objects.get(other, 5))!).toString()).toBe('other');
    expect(server.asked).toContain(`PUT /books/library/${key.account}/one`);
  });

  it('are refused when their size differs from the stored one', async () => {
    await objects.put(key, bytes, sha256(bytes));
    expect(await objects.get(key, bytes.length - 1)).toBeNull();
    expect(await objects.get(key, bytes.length + 1)).toBeNull();
  });

  it('are requested with a signature that the server verifies', async () => {
    const stranger = server.open({ secretAccessKey: 'another' });
    await expect(stranger.put(key, bytes, sha256(bytes))).rejects.toThrow(unavailable('refuses'));
    const misled = server.open({ bucket: 'papers' });
    await expect(misled.put(key, bytes, sha256(bytes))).rejects.toThrow(unavailable('bucket'));
    // Without its bucket, no object is said to be missing or deleted.
    await expect(misled.get(key, 5)).rejects.toThrow(unavailable('bucket'));
    await expect(misled.delete(key)).rejects.toThrow(unavailable('bucket'));
  });

  // The server of these tests signs the bucket into the path there as well, which the protocol does not.
  it("can also be reached with the bucket's name in the host", async () => {
    const asked: string[] = [];
    const fetch: typeof globalThis.fetch = async (url, init) => {
      const { headers, method } = new Request(url, init);
      asked.push(`${method} ${String(url)} ${headers.get('authorization')?.includes('SignedHeaders=host;')}`);
      return new Response(null, { status: 204 });
    };
    const place = parseObjectStoreUrl('https://S3RVER:S3RVER@objects.example/books/a?style=host');
    const hosted = openS3ObjectStore(place, { fetch, clock: impatientClock });
    await hosted.delete(key);
    expect(asked).toEqual([`DELETE https://books.objects.example/a/${key.account}/one true`]);
  });
});

describe('an object store that fails', () => {
  it('is retried when it is busy or cuts an answer', async () => {
    server.failNext(answering(503), answering(500));
    await objects.put(key, bytes, sha256(bytes));
    server.failNext(cutting, answering(429, { 'retry-after': '1' }), cutting);
    expect((await objects.get(key, bytes.length))?.length).toBe(bytes.length);
  });

  it('is given up after four attempts, with an explanation', async () => {
    const before = server.asked.length;
    server.failNext(...Array.from({ length: 9 }, () => answering(503)));
    await expect(objects.get(key, 5)).rejects.toThrow(unavailable('does not answer'));
    expect(server.asked.length - before).toBe(4);
  });

  it('is not followed to another address', async () => {
    const before = server.asked.length;
    server.failNext(answering(307, { location: server.url }));
    await expect(objects.get(key, 5)).rejects.toThrow(unavailable('refuses'));
    expect(server.asked.length - before).toBe(1);
  });

  it('is reported as not answering when it is away, or closed during a request', async () => {
    const away = await S3Server.start();
    const gone = away.open();
    await away.stop();
    await expect(gone.delete(key)).rejects.toThrow(unavailable('does not answer'));
    const closed = server.open();
    server.failNext(() => {
      void closed.close();
      return true;
    });
    await expect(closed.get(key, 5)).rejects.toThrow(unavailable('does not answer'));
  });
});

describe('the address of an object store', () => {
  it('names the server, the bucket, a prefix, a region and a style', () => {
    const place = parseObjectStoreUrl('https://id:a%2Fb%2Bc@s3.example.com:9000/books/a/b/?region=eu-1&style=host');
    expect(place).toEqual({
      accessKeyId: 'id',
      secretAccessKey: 'a/b+c',
      endpoint: 'https://s3.example.com:9000',
      bucket: 'books',
      prefix: 'a/b/',
      region: 'eu-1',
      style: 'host',
    });
    expect(objectStoreBase(place)).toBe('https://books.s3.example.com:9000/');
    const short = parseObjectStoreUrl('http://id:secret@127.0.0.1/books');
    expect(short).toMatchObject({ prefix: '', region: 'us-east-1', style: 'path' });
    expect(objectStoreBase(short)).toBe('http://127.0.0.1/books/');
  });

  it.each([
    'books',
    'ftp://s3.example.com/books',
    'https://s3.example.com/books',
    'https://key@s3.example.com/books',
    'https://key:100%hidden@s3.example.com/books',
    'https://id:hidden@s3.example.com/',
    'https://id:hidden@s3.example.com/b%6Foks',
    'https://id:hidden@s3.example.com/books?style=other',
    'https://id:hidden@s3.example.com/books?bucket=other',
    'https://id:hidden@s3.example.com/books?region=a/b',
    'https://id:hidden@s3.example.com/books#x',
  ])('is refused with an explanation: %s', (address) => {
    const refusal = expect.objectContaining({
      code: 'invalid_input',
      message: expect.not.stringContaining('hidden') as string,
    }) as Error;
    expect(() => parseObjectStoreUrl(address)).toThrow(refusal);
  });
});

describe('the object store of the settings', () => {
  const open = (environment: Record<string, string>) =>
    openObjectStore(loadConfig({}, environment, 'linux'), impatientClock);
  it('is opened with their key', async () => {
    const store = open({ COMMONPLACE_OBJECT_STORE_URL: server.url })!;
    await store.put(key, bytes, sha256(bytes));
    expect(Buffer.from((await store.get(key, bytes.length))!).equals(bytes)).toBe(true);
    await store.close();
    await expect(store.get(key, bytes.length)).rejects.toMatchObject({ code: 'unavailable' });
  });

  it('is absent without an address, and refused without a key or with an invalid address', () => {
    expect(open({})).toBeUndefined();
    expect(() => open({ COMMONPLACE_OBJECT_STORE_URL: 'https://s3.example.com/books' })).toThrow(
      'lacks the id of a key or its secret',
    );
    const wrong = { COMMONPLACE_OBJECT_STORE_URL: 's3://key:never-shown@b' };
    expect(() => open(wrong)).toThrow('begins with neither');
    expect(() => open(wrong)).not.toThrow('never-shown');
  });
});
