/*
 * Texts of the document that belong to no single operation.
 */

export const apiDescription = [
  'Everything you saved, over HTTP: list it, read it, save more, search it, and keep its to-dos.',
  'Every request carries `Authorization: Bearer <token>`; `commonplace token create laptop` makes one. Bodies are JSON in UTF-8, field names are camelCase, times are ISO 8601 in UTC. Ids are opaque: `c_…` a saved item, `a_…` an action item, `g_…` a goal.',
  'Lists answer `items`, `total`, `limit` and `offset`. Answers to GET carry an `ETag`; sent back as `If-None-Match` it saves the transfer (304).',
  'Refusals are `application/problem+json` (RFC 9457): `code` is for programs, `detail` says to a person what to do next. Unknown parameters and fields are refused, not ignored. Answers may gain fields.',
].join('\n\n');

export const apiV1Description = [
  apiDescription,
  'This is a preview: routes may still change. When one is going to, its answers carry `Deprecation` (RFC 9745) and `Sunset` (RFC 8594) for three months before, and the changelog says what takes its place.',
  'Lists also answer `nextCursor` as long as there is more; sent back as `cursor`, with the same other inputs, it continues after the last record, whatever was saved meanwhile. A POST that changes something takes an `Idempotency-Key`. `If-Match` refuses a change of an item that somebody else has changed. Answers are compressed for clients that send `Accept-Encoding: gzip`.',
].join('\n\n');

export const tagDescriptions: Readonly<Record<string, string>> = {
  Content: 'The pages, videos and documents that were saved.',
  Search: 'Finding passages in everything that was saved.',
  Actions: 'Things to do that saved items ask for.',
  Goals: 'What the user wants to reach.',
  Tags: 'The tags of saved items.',
  Highlights: 'Words of saved items that were marked.',
  History: 'What was changed, and how to take it back.',
  Imports: 'Taking over what another program has exported.',
  Exports: 'Everything as files.',
  Keys: 'Keys with permissions, for programs.',
  Related: 'Items that are close to one another.',
  Service: 'Whether the server is there. These need no token.',
};
