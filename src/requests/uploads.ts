import { open, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { toldWhenFull } from '../domain/machine-limits.ts';
import { SharedPlaces } from '../domain/turns/shared-places.ts';
import { AppError } from '../errors.ts';
import { makeTemporaryFolder } from '../workers/temporary-folder.ts';
import { ByteBudget } from './byte-budget.ts';
import type { Form, FormTask } from './read-form.ts';
import type { RequestThread } from './request-thread.ts';

/** Bytes of forms on the disk at once, for all accounts and for one account. */
const diskLimits = { maxBytes: 2 * 2 ** 30, maxOwnerBytes: 256 * 2 ** 20 };
/** Forms that are in memory at once: one account alone has one. */
const formsInMemory = { total: 4, reserved: 3 };

export interface Upload extends Pick<FormTask, 'contentType' | 'names' | 'maxContents'> {
  account: string;
  pieces: AsyncIterable<Uint8Array>;
  maxBytes: number;
  signal: AbortSignal;
}

/**
 * Receives forms with files. They are written to the disk as they arrive, however slowly, and read into memory in turn when they
 * are whole.
 */
export class Uploads {
  readonly #prefix: string;
  readonly #thread: Pick<RequestThread, 'readForm'>;
  readonly #onDisk = new ByteBudget(diskLimits);
  readonly #inMemory = new SharedPlaces(formsInMemory);
  #folder: string | undefined;
  #count = 0;

  /** @param prefix path and beginning of the name of a folder for them */
  constructor(prefix: string, thread: Pick<RequestThread, 'readForm'>) {
    this.#prefix = prefix;
    this.#thread = thread;
  }

  /**
   * @param use is given the form; nothing is left of it afterwards
   * @throws {AppError} `payload_too_large`; `rate_limited` when the account, or all together, send too much at once; `invalid_input`;
   *   `unavailable` when there is no room; what `pieces` throws
   */
  async receive<Answer>(upload: Upload, use: (form: Form) => Promise<Answer>): Promise<Answer> {
    this.#folder ??= makeTemporaryFolder(this.#prefix);
    const path = join(this.#folder, String((this.#count += 1)));
    const reservation = this.#onDisk.open(upload.account);
    try {
      await write(path, upload, (bytes) => {
        if (!reservation.growTo(bytes)) throw tooMuchAtOnce();
      });
      const place = await this.#inMemory.take(upload.account, upload.signal);
      try {
        const { contentType, names, maxContents } = upload;
        const form = await this.#thread.readForm(
          { kind: 'form', path, contentType, names, maxContents },
          upload.account,
        );
        return await use(form);
      } finally {
        place.leave();
      }
    } finally {
      await rm(path, { force: true });
      reservation.release();
    }
  }

  async close(): Promise<void> {
    if (this.#folder !== undefined) await rm(this.#folder, { recursive: true, force: true });
  }
}

async function write(path: string, { pieces, maxBytes }: Upload, reserve: (bytes: number) => void): Promise<void> {
  const file = await open(path, 'wx', 0o600);
  try {
    let bytes = 0;
    for await (const piece of pieces) {
      bytes += piece.length;
      if (bytes > maxBytes) throw tooLargeForm(maxBytes);
      reserve(bytes);
      await file.writeFile(piece);
    }
  } catch (cause) {
    throw toldWhenFull(cause, 'There is too little room for the file here. Free some space, or send a smaller one.');
  } finally {
    await file.close();
  }
}

export function tooLargeForm(maxBytes: number): AppError {
  return new AppError(
    'payload_too_large',
    `The form is larger than ${maxBytes} bytes, the limit here. Save the file with the command line: commonplace save <file>.`,
  );
}

function tooMuchAtOnce(): AppError {
  return new AppError('rate_limited', 'Too much is being sent at once. Send large files one after the other.');
}
