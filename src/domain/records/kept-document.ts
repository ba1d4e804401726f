/**
 * Of a document that was read before it was saved, in place of its file. It is believed of what was handed over (`Original.given`)
 * alone: a server that claims it sends JSON like any other.
 */
export const keptDocumentType = 'application/vnd.commonplace.document+json';
