import { InvalidArgumentError } from 'commander';

/** Parses the value of a port flag. @throws {InvalidArgumentError} when it is not a port */
export function parsePort(text: string): number {
  const port = Number(text);
  if (!/^\d+$/.test(text) || port > 65_535) throw new InvalidArgumentError('It must be a number from 0 to 65535.');
  return port;
}
