import type { ApiOperation } from '../openapi/document.ts';

/**
 * The call of an operation as a person types it into a shell. The token is a variable, so that it need not be
 * in the shell's history.
 * @param base where the server is, e.g. `https://library.example.com`, without a slash at its end
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
  const body = operation.requestBody?.content['application/json'].example;
  const words = [
    ['curl', ...(method === 'get' || body !== undefined ? [] : ['-X', method.toUpperCase()])].join(' '),
    quoted(`${base}${filled}${query === '' ? '' : `?${query}`}`),
    ...(operation.security.length === 0 ? [] : ['-H "Authorization: Bearer $COMMONPLACE_TOKEN"']),
    // `--json` would say it shorter, but curl has it only since 7.82.
    ...(body === undefined ? [] : [`-H 'Content-Type: application/json'`, `-d ${quoted(JSON.stringify(body))}`]),
  ];
  return words.join(' \\\n  ').replace(' \\\n  ', ' ');
}

/** Between single quotes a shell changes nothing. */
function quoted(text: string): string {
  return `'${text.replaceAll("'", String.raw`'\''`)}'`;
}
