import { Client } from 'pg';
import { connectionOptions, isPooled } from './connection.ts';

/**
 * Hears notices of a channel on a connection of its own.
 * @param onNotice is called for each, and once in the beginning, for what may have been missed before
 * @returns when the connection has ended: false when notices cannot be heard on it, because a pooler is between
 */
export async function listen(
  url: string,
  channel: string,
  onNotice: () => void,
  signal: AbortSignal,
): Promise<boolean> {
  const client = new Client(connectionOptions(url));
  client.on('error', () => undefined);
  client.on('notification', onNotice);
  const ended = new Promise<void>((resolve) => client.on('end', resolve));
  const end = (): void => void client.connection.stream.destroy();
  signal.addEventListener('abort', end);
  try {
    await client.connect();
    if (await isPooled(client)) return false;
    await client.query(`LISTEN ${client.escapeIdentifier(channel)}`);
    onNotice();
    await ended;
    return true;
  } finally {
    signal.removeEventListener('abort', end);
    end();
  }
}
