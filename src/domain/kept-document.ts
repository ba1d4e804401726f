/** Of a document that was read before it was saved, in place of its file. */
export const keptDocumentType = 'application/vnd.commonplace.document+json';
/** What such a document begins with, so that its bytes alone tell what it is. */
export const keptDocumentMark = '{"commonplaceDocument":1,';
