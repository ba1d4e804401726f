import { InvalidArgumentError } from 'commander';

/** The port that a flag gives. @throws {InvalidArgumentError} when it is none */
export function parsePort(text: string): number {
  const port = Number(text);
  if (!/^\d+$/.test(text) || port > 65_535) throw new InvalidArgumentError('It must be a number from 0 to 65535.');
  return port;
}
