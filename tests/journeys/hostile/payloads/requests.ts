import type { RequestPayload } from './payload.ts';

const repeated = (unit: string, times: number): string => unit.repeat(times);

function head(method: string, path: string, token: string, headers: Record<string, string | number>): string {
  const lines = Object.entries({
    Host: '127.0.0.1',
    Authorization: `Bearer ${token}`,
    Connection: 'close',
    ...headers,
  });
  return `${method} ${path} HTTP/1.1\r\n${lines.map(([name, value]) => `${name}: ${value}\r\n`).join('')}\r\n`;
}

/** A body sent whole, with its length. */
function post(name: string, path: string, body: () => string, rest: Partial<RequestPayload> = {}): RequestPayload {
  return {
    kind: 'request',
    name: `${name} (POST ${path})`,
    bytes(token) {
      const bytes = Buffer.from(body());
      const accept = path === '/mcp' ? 'application/json, text/event-stream' : 'application/json';
      return [
        head('POST', path, token, {
          'Content-Type': 'application/json',
          'Content-Length': bytes.length,
          Accept: accept,
        }),
        bytes,
      ];
    },
    ...rest,
  };
}

function get(
  name: string,
  path: string,
  headers: Record<string, string> = {},
  rest: Partial<RequestPayload> = {},
): RequestPayload {
  return { kind: 'request', name, bytes: (token) => [head('GET', path, token, headers)], ...rest };
}

const keys = (count: number): string => Array.from({ length: count }, (_, at) => `"k${at}":1`).join(',');
const call = (params: string): string => `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":${params}}`;

const json: RequestPayload[] = [
  post('600,000 unknown keys', '/content', () => `{"url":"https://example.com/",${keys(600_000)}}`),
  post('5,000 unknown keys', '/search', () => `{"query":"a",${keys(4_000)}}`),
  post('brackets', '/content', () => repeated('[', 4_000_000)),
  post('braces', '/content', () => repeated('{"a":', 1_000_000)),
  post('a string that never ends', '/content', () => `{"url":"${repeated('a', 9_000_000)}`),
  post('escapes', '/content', () => `{"url":"https://example.com/","text":"${repeated('\\u0041', 1_500_000)}"}`),
  post('numbers of many digits', '/content', () => `{"url":${repeated('9', 5_000_000)}}`),
  post('one key many times', '/content', () => `{${repeated('"url":"a",', 500_000)}"url":"b"}`),
  post(
    '__proto__',
    '/content',
    () => '{"__proto__":{"url":"x"},"constructor":{"prototype":{}},"url":"https://example.com/proto"}',
  ),
  post(
    'captions that are none',
    '/content',
    () => `{"url":"https://example.com/c","captions":[${repeated('{},', 1_500_000)}{}]}`,
  ),
  post(
    'captions of unknown fields',
    '/content',
    () =>
      `{"url":"https://example.com/c","captions":[${repeated('{"start":0,"text":"a","x":1},', 200_000)}{"start":0,"text":"a"}]}`,
  ),
  post(
    'tags without end',
    '/content',
    () => `{"url":"https://example.com/t","tags":[${repeated('"a",', 1_000_000)}"b"]}`,
  ),
  post('a query of words', '/search', () => `{"query":"${repeated('word ', 12_000)}"}`),
  post('a query of quotation marks', '/search', () => `{"query":"${repeated('\\"a ', 12_000)}"}`),
  post('a query of operators', '/search', () => `{"query":"${repeated('site:a -b tag:c ', 4_000)}"}`),
  post('keys in _meta', '/mcp', () => call(`{"name":"search","arguments":{"query":"a"},"_meta":{${keys(340_000)}}}`)),
  post('brackets in arguments', '/mcp', () =>
    call(`{"name":"search","arguments":{"query":${repeated('[', 2_000_000)}`),
  ),
  post(
    'a batch',
    '/mcp',
    () => `[${repeated('{"jsonrpc":"2.0","id":1,"method":"ping"},', 20_000)}{"jsonrpc":"2.0","id":1,"method":"ping"}]`,
  ),
  post('a tool of a long name', '/mcp', () => call(`{"name":"${repeated('a', 3_000_000)}","arguments":{}}`)),
  post('unknown arguments', '/mcp', () => call(`{"name":"search","arguments":{"query":"a",${keys(100_000)}}}`)),
  post(
    'an initialize of many capabilities',
    '/mcp',
    () =>
      `{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-11-25","clientInfo":{"name":"a","version":"1"},"capabilities":{"experimental":{${Array.from({ length: 100_000 }, (_, at) => `"k${at}":{}`).join(',')}}}}}`,
  ),
  post(
    'a resource of a long address',
    '/mcp',
    () =>
      `{"jsonrpc":"2.0","id":1,"method":"resources/read","params":{"uri":"commonplace://${repeated('%41', 500_000)}"}}`,
  ),
  post(
    'a completion of a long value',
    '/mcp',
    () =>
      `{"jsonrpc":"2.0","id":1,"method":"completion/complete","params":{"ref":{"type":"ref/prompt","name":"a"},"argument":{"name":"a","value":"${repeated('a ', 500_000)}"}}}`,
  ),
];

const heads: RequestPayload[] = [
  post('a content type of spaces', '/content', () => '{}', {
    bytes: (token) => [
      head('POST', '/content', token, {
        'Content-Type': `application/json;${repeated(' charset=', 1_500)}`,
        'Content-Length': 2,
      }),
      '{}',
    ],
  }),
  post('a content type of quotation marks', '/content', () => '{}', {
    bytes: (token) => [
      head('POST', '/content', token, {
        'Content-Type': `application/json; charset=${repeated(' ', 12_000)}"x`,
        'Content-Length': 2,
      }),
      '{}',
    ],
  }),
  get('a query string of parameters', `/content?${Array.from({ length: 2_000 }, (_, at) => `a${at}=1`).join('&')}`),
  get('a query string of percent signs', `/content?tags=${repeated('%25', 4_000)}`),
  get('an id of dots', `/content/${repeated('.', 12_000)}`),
  get('an entity tag of commas', '/content', { 'If-None-Match': repeated('"a",', 3_000) }),
  get('forwarded addresses', '/content', { 'X-Forwarded-For': repeated('1.1.1.1, ', 1_500) }),
  get('an origin of dots', '/content', { Origin: `http://${repeated('a.', 6_000)}` }),
  get('an accept header of commas', '/mcp', { Accept: repeated('a/b;q=0.1,', 1_200) }),
  get('a token of a long name', '/content', { Authorization: `Bearer ${repeated('cpl_', 3_000)}` }),
  get('a range', '/content', { Range: `bytes=${repeated('0-0,', 3_000)}` }),
];

const connections: RequestPayload[] = [
  {
    kind: 'request',
    name: 'unfinished bodies of 10 MB',
    bytes: (token) => [
      head('POST', '/content', token, { 'Content-Type': 'application/json', 'Content-Length': 10_000_000 }),
      `{"url":"https://example.com/u","text":"${repeated('a', 9_900_000)}`,
    ],
    connections: 42,
    isDeaf: true,
  },
  {
    kind: 'request',
    name: 'unfinished messages of 19 MB',
    bytes: (token) => [
      head('POST', '/mcp', token, {
        'Content-Type': 'application/json',
        Accept: 'application/json, text/event-stream',
        'Content-Length': 19_000_000,
      }),
      `{"jsonrpc":"2.0","id":1,"x":"${repeated('a', 18_900_000)}`,
    ],
    connections: 42,
    isDeaf: true,
  },
  {
    kind: 'request',
    name: 'chunks of one byte',
    bytes: (token) => [
      head('POST', '/content', token, { 'Content-Type': 'application/json', 'Transfer-Encoding': 'chunked' }),
      repeated('1\r\na\r\n', 400_000),
    ],
  },
  {
    kind: 'request',
    name: 'bodies without a token',
    bytes: () => [
      head('POST', '/content', 'none', { 'Content-Type': 'application/json', 'Content-Length': 9_000_000 }),
      repeated('a', 8_000_000),
    ],
    connections: 20,
    isDeaf: true,
  },
  {
    ...get('1,000 lists that nobody reads', '/content?limit=100', { Connection: 'keep-alive' }),
    connections: 300,
    isDeaf: true,
  },
  {
    ...post(
      '300 at the same instant: initialize',
      '/mcp',
      () =>
        `{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-11-25","clientInfo":{"name":"${repeated('a', 1_000)}","version":"1"},"capabilities":{}}}`,
    ),
    connections: 300,
  },
  { ...post('300 at the same instant: search', '/search', () => '{"query":"gardens and rain"}'), connections: 300 },
  { kind: 'request', name: 'no HTTP', bytes: () => [repeated('\u0000', 100_000)] },
  { kind: 'request', name: 'a request line without end', bytes: () => [`GET /${repeated('a', 200_000)}`] },
  { kind: 'request', name: 'headers without end', bytes: () => [`GET / HTTP/1.1\r\n${repeated('a: b\r\n', 50_000)}`] },
];

export const requests: readonly RequestPayload[] = [...json, ...heads, ...connections];
