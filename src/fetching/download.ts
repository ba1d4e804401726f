import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { open, rename, rm, stat } from 'node:fs/promises';
import { lookup } from 'node:dns';
import type { Readable } from 'node:stream';
import { Agent, request } from 'undici';
import type { Clock } from '../domain/clock.ts';
import { noProxies, type Proxies } from '../domain/links/proxies.ts';
import { isOutOfRoom } from '../domain/machine-limits.ts';
import { AppError, isAbortError, codeOf, unavailable } from '../errors.ts';
import { isPublicAddress, literalAddress } from './address-guard.ts';
import { guardedConnector } from './transport.ts';

interface Download {
  url: URL;
  /** The complete file appears here in one step. `<target>.part` holds what was received, to resume from. */
  target: string;
  bytes: number;
  sha256: string;
}

export type Downloader = ReturnType<typeof createDownloader>;

const attempts = 5;
const firstWaitMs = 1_000;
const silenceMs = 30_000;
const maxRedirects = 5;

/**
 * Downloads large files whose checksum is known. The first address may be on this machine or the local network (a
 * mirror). A redirect must lead to a public address over TLS, or back to the first server.
 */
export function createDownloader(clock: Clock, proxies: Proxies = noProxies) {
  const limits = { headersTimeout: silenceMs, bodyTimeout: silenceMs, keepAliveTimeout: 2_000, allowH2: false };
  const chosen = new Agent({
    ...limits,
    connect: guardedConnector({ allowed: () => true, lookup, proxies }, silenceMs),
  });
  const elsewhere = new Agent({
    ...limits,
    connect: guardedConnector({ allowed: isPublicAddress, lookup, proxies }, silenceMs),
  });

  const ask = async (first: URL, from: number, signal: AbortSignal): Promise<{ whole: boolean; body: Readable }> => {
    let url = first;
    for (let hops = 0; hops <= maxRedirects; hops += 1) {
      const isChosen = url.origin === first.origin;
      if (!isChosen && url.protocol !== 'https:') throw refused('redirects to an address without TLS');
      const literal = literalAddress(url);
      if (!isChosen && literal !== null && !isPublicAddress(literal)) throw refused('redirects to a private address');
      const { statusCode, headers, body } = await request(url, {
        dispatcher: isChosen ? chosen : elsewhere,
        headers: { 'accept-encoding': 'identity', ...(from > 0 && { range: `bytes=${from}-` }) },
        signal,
      });
      if (statusCode === 200) return { whole: true, body };
      const begins = String(headers['content-range']).startsWith(`bytes ${from}-`);
      if (statusCode === 206 && begins) return { whole: false, body };
      await body.dump();
      const to = typeof headers.location === 'string' ? URL.parse(headers.location, url.href) : null;
      if (statusCode >= 300 && statusCode < 400 && to !== null) url = to;
      else if (statusCode === 416 || statusCode === 206) throw new StartOver();
      else if (statusCode === 404) throw refused('does not have this file');
      else if (statusCode === 401 || statusCode === 403) throw refused('refuses access to this file');
      else throw new Error(`status ${statusCode}`);
    }
    throw refused('redirects too many times');
  };

  const fetchRest = async (
    { url, target, bytes }: Download,
    onProgress: (bytes: number) => void,
    signal: AbortSignal,
  ) => {
    const part = `${target}.part`;
    const had = await sizeOf(part);
    if (had > bytes) throw new StartOver();
    if (had === bytes) return;
    const { whole, body } = await ask(url, had, signal);
    const file = await open(part, whole ? 'w' : 'a');
    try {
      let size = whole ? 0 : had;
      for await (const chunk of body as AsyncIterable<Buffer>) {
        size += chunk.length;
        if (size > bytes) throw new StartOver();
        await file.writeFile(chunk);
        onProgress(size);
      }
      if (size < bytes) throw new Error('the answer was cut');
      await file.datasync();
    } finally {
      await file.close();
    }
  };

  return {
    /**
     * Does nothing when the file exists already.
     * @param onProgress called with the bytes of this file that have been downloaded
     * @throws {AppError} `unavailable`, with what is wrong and what to do about it
     */
    async fetch(file: Download, onProgress: (bytes: number) => void, signal: AbortSignal): Promise<void> {
      const part = `${file.target}.part`;
      if ((await sizeOf(file.target)) === file.bytes && (await hashOf(file.target, signal)) === file.sha256)
        return onProgress(file.bytes);
      let startedOver = false;
      for (let attempt = 1; ; attempt += 1) {
        try {
          await fetchRest(file, onProgress, signal);
          if ((await hashOf(part, signal)) !== file.sha256) throw new StartOver();
          await rename(part, file.target);
          return;
        } catch (error) {
          signal.throwIfAborted();
          if (error instanceof AppError || isAbortError(error)) throw error;
          const code = codeOf(error);
          if (isOutOfRoom(error)) throw unavailable(diskFull, { cause: error });
          if (code === 'EACCES' || code === 'EROFS' || code === 'EPERM')
            throw unavailable(unwritable, { cause: error });
          if (error instanceof StartOver) {
            // The part file may come from an attempt that went wrong. Start from the beginning, but only once.
            await rm(part, { force: true });
            if (startedOver) throw unavailable(wrongFile);
            startedOver = true;
            continue;
          }
          if (attempt >= attempts) throw unavailable(unreachable, { cause: error });
          await clock.sleep(firstWaitMs * 2 ** (attempt - 1), signal);
        }
      }
    },
    async close(): Promise<void> {
      await Promise.all([chosen.destroy(), elsewhere.destroy()]);
    },
  };
}

/** The part file cannot be completed to the wanted file, so the download must start over. */
class StartOver extends Error {}

async function sizeOf(path: string): Promise<number> {
  return stat(path).then(
    ({ size }) => size,
    () => 0,
  );
}

async function hashOf(path: string, signal: AbortSignal): Promise<string> {
  const hash = createHash('sha256');
  for await (const chunk of createReadStream(path, { signal, highWaterMark: 1 << 20 }) as AsyncIterable<Buffer>)
    hash.update(chunk);
  return hash.digest('hex');
}

const refused = (what: string): AppError =>
  unavailable(
    `The model hub ${what}. Another one can be named with --from. What was downloaded is kept for the next attempt.`,
  );
const diskFull = 'The disk is full. Make room, then run the command again: it continues where it stopped.';
const unreachable =
  'The model hub cannot be reached, or the connection keeps breaking. Check the network, then run the command again: it continues where it stopped.';
const unwritable = 'The data folder cannot be written to: check its permissions.';
const wrongFile =
  'The model hub delivered a file with a wrong checksum, twice. Nothing was installed. Try again later, or name another hub with --from.';
