import { endianness } from 'node:os';
import { JsonBytes } from '../../requests/json-bytes.ts';

/*
 * The native-messaging protocol of browsers: each message is JSON after its length, four bytes in the order of the machine.
 * https://developer.chrome.com/docs/extensions/develop/concepts/native-messaging#native-messaging-host-protocol
 */

/** Browsers send no longer message to a program. */
const maxMessageBytes = 64 * 2 ** 20;
/** Browsers end a program that sends a longer one. */
const maxAnswerBytes = 2 ** 20;
const lengthBytes = 4;
const isLittle = endianness() === 'LE';

/**
 * Reads the messages of a browser one by one.
 * @throws {AppError} `payload_too_large`, and `invalid_input` for JSON with too many values: nothing after it can be read
 */
export async function* readMessages(input: AsyncIterable<Uint8Array>): AsyncGenerator<JsonBytes> {
  let head = Buffer.alloc(0);
  let message: { body: JsonBytes; missing: number } | null = null;
  for await (const chunk of input) {
    let rest = Buffer.from(chunk.buffer, chunk.byteOffset, chunk.byteLength);
    while (rest.length > 0) {
      if (message === null) {
        const taken = lengthBytes - head.length;
        head = Buffer.concat([head, rest.subarray(0, taken)]);
        rest = rest.subarray(taken);
        if (head.length < lengthBytes) break;
        const missing = isLittle ? head.readUInt32LE() : head.readUInt32BE();
        const body = new JsonBytes({ maxBytes: Math.min(missing, maxMessageBytes), takesLargeValues: true });
        message = { body, missing };
        head = Buffer.alloc(0);
      }
      const piece = rest.subarray(0, message.missing);
      message.body.add(piece);
      message.missing -= piece.length;
      rest = rest.subarray(piece.length);
      if (message.missing > 0) break;
      yield message.body;
      message = null;
    }
  }
}

/** The bytes of one message; null when it is longer than browsers take. */
export function messageBytes(message: object): Buffer | null {
  const body = Buffer.from(JSON.stringify(message));
  if (body.length > maxAnswerBytes) return null;
  const head = Buffer.alloc(lengthBytes);
  if (isLittle) head.writeUInt32LE(body.length);
  else head.writeUInt32BE(body.length);
  return Buffer.concat([head, body]);
}
