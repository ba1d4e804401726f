import type { ApiOperation } from '../rest/openapi/document.ts';

/**
 * The curl command for an operation. The token is a shell variable, so that it does not get into the shell's history.
 * @param base the server's address without a trailing slash, e.g. `https://library.example.com`
 */
export function curlCommand(base: string, method: string, path: string, operation: ApiOperation): string {
  const named = (operation.parameters ?? []).filter(({ example }) => example !== undefined);
  const filled = named
    .filter((parameter) => parameter.in === 'path')
    .reduce((text, { name, example }) => text.replace(`{${name}}`, encodeURIComponent(String(example))), path);
  const query = named
    .filter((parameter) => parameter.in === 'query')
    .map(({ name, example }) => `${name}=${encodeURIComponent(String(example)).replaceAll('%2C', ',')}`)
    .join('&');
  const body = operation.requestBody?.content['application/json']?.example;
  const sendsFile = operation.requestBody?.content['application/octet-stream'] !== undefined;
  const words = [
    ['curl', ...(method === 'get' || body !== undefined || sendsFile ? [] : ['-X', method.toUpperCase()])].join(' '),
    quoted(`${base}${filled}${query === '' ? '' : `?${query}`}`),
    ...(operation.security.length === 0 ? [] : ['-H "Authorization: Bearer $COMMONPLACE_TOKEN"']),
    // `--json` is shorter, but curl supports it only since 7.82.
    ...(body === undefined ? [] : [`-H 'Content-Type: application/json'`, `-d ${quoted(JSON.stringify(body))}`]),
    ...(sendsFile ? [`-H 'Content-Type: application/octet-stream'`, '--data-binary @bookmarks.html'] : []),
  ];
  return words.join(' \\\n  ').replace(' \\\n  ', ' ');
}

/** Single-quotes text for a shell, which changes nothing between single quotes. */
function quoted(text: string): string {
  return `'${text.replaceAll("'", String.raw`'\''`)}'`;
}
