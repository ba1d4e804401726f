/**
 * The media type of a document that was read before it was saved and is stored in place of its file. It is trusted only
 * for given originals (`Original.given`): if a server declares it, the response is treated as ordinary JSON.
 */
export const unlockedDocumentType = 'application/vnd.commonplace.document+json';
