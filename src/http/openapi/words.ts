import type { JsonSchema } from './schemas.ts';

/*
 * Texts of the document that belong to no single operation.
 */

export const apiDescription = [
  'Everything you saved, over HTTP: list it, read it, save more, search it, and keep its to-dos.',
  'Every request carries `Authorization: Bearer <token>`; `commonplace token create laptop` makes one. Bodies are JSON in UTF-8, field names are camelCase, times are ISO 8601 in UTC. Ids are opaque: `c_…` a saved item, `a_…` an action item, `g_…` a goal.',
  'Lists answer `items`, `total`, `limit` and `offset`. Answers to GET carry an `ETag`; sent back as `If-None-Match` it saves the transfer (304).',
  'Refusals are `application/problem+json` (RFC 9457): `code` is for programs, `detail` says to a person what to do next. Unknown parameters and fields are refused, not ignored. Answers may gain fields.',
].join('\n\n');

export const tagDescriptions: Readonly<Record<string, string>> = {
  Content: 'The pages, videos and documents that were saved.',
  Search: 'Finding passages in everything that was saved.',
  Actions: 'Things to do that saved items ask for.',
  Goals: 'What the user wants to reach.',
  Service: 'Whether the server is there. These need no token.',
};

/**
 * Constraints that an input's own schema does not declare. The service checks them and says in its error what is wrong.
 */
export const fieldForms: Readonly<Record<string, JsonSchema>> = {
  url: { format: 'uri', pattern: String.raw`^https?://[^\s/?#@]+(?:[/?#]\S*)?$` },
};

/** Dependencies between the fields of a body, as JSON Schema, by operation name. */
export const bodyRules: Readonly<Record<string, JsonSchema>> = {
  // At most one of text, html and captions, and a title only with one of them.
  save_content: {
    dependentSchemas: {
      text: { properties: { html: false, captions: false } },
      html: { properties: { captions: false } },
      title: { not: { properties: { text: false, html: false, captions: false } } },
    },
  },
};

/** Descriptions of the inputs, by name; the same for every operation. */
export const fieldDescriptions: Readonly<Record<string, string>> = {
  id: 'The id of the record, as lists and searches show it.',
  limit: 'How many at most.',
  offset: 'How many to pass over, counted from the newest.',
  contentType: 'Only items of this kind.',
  status: 'Only items in this state.',
  tags: 'Tags, each of 1 to 100 characters without a comma. As a filter: items that have all of them.',
  completed: 'true: those that are done; false: the open ones.',
  contentId: 'Only those of this saved item.',
  goalId: 'Only those that serve this goal.',
  url: 'The address of the page, http or https, without user name and password.',
  notes: 'Your own words about it.',
  title: 'The title of what is sent as text, html or captions.',
  text: 'The text of the page (plain or Markdown), if you have it: then nothing is fetched.',
  html: 'The HTML of the page, instead of text.',
  captions:
    'The captions of the video or recording, instead of text: WebVTT, SRT or a copied transcript with its times, or a list of start and duration in seconds with text.',
  query:
    'A question or keywords; with "exact phrases", -word, site:, type:, tag:, before: and after: (dates) in it, if you like.',
  filters: 'Search only items that match all of these.',
};
