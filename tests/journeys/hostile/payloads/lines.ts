import type { StdioPayload } from './payload.ts';

const repeated = (unit: string, times: number): string => unit.repeat(times);
const call = (id: number, params: string): string =>
  `{"jsonrpc":"2.0","id":${id},"method":"tools/call","params":${params}}`;
const lines = (name: string, make: () => string[], rest: Partial<StdioPayload> = {}): StdioPayload => ({
  kind: 'stdio',
  name,
  lines: make,
  ...rest,
});

export const stdioLines: readonly StdioPayload[] = [
  lines('brackets', () => [repeated('[', 4_000_000)]),
  lines('braces', () => [repeated('{"a":', 1_000_000)]),
  lines('keys in _meta', () => [
    call(
      1,
      `{"name":"search","arguments":{"query":"a"},"_meta":{${Array.from({ length: 340_000 }, (_, at) => `"k${at}":1`).join(',')}}}`,
    ),
  ]),
  lines('a line over every limit', () => [repeated('a', 40_000_000)]),
  lines(
    '20,000 calls by a client that never reads',
    () => Array.from({ length: 20_000 }, (_, at) => call(at, '{"name":"list_goals","arguments":{}}')),
    { isDeaf: true },
  ),
  lines('20,000 lines that are none', () => Array.from({ length: 20_000 }, () => 'no JSON'), { isDeaf: true }),
  lines('captions without end', () => [
    call(
      2,
      `{"name":"save_content","arguments":{"url":"https://example.com/s","captions":"${repeated('00:00.000 --> 00:01.000\\na\\n\\n', 200_000)}"}}`,
    ),
  ]),
];
