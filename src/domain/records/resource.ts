/** A request, where a plain GET is not enough. */
export interface ResourceRequest {
  method?: 'GET' | 'POST' | undefined;
  /** Headers, with lower-case names, that extend or replace the defaults. Not sent to other hosts after a redirect. */
  headers?: Readonly<Record<string, string>> | undefined;
  body?: string | undefined;
}

/**
 * Fetched or given bytes, with the metadata from the server. They are not inspected yet: `sources/decoding` detects
 * their type and decodes their text, off the main thread.
 */
export interface Resource {
  /** The requested address. */
  url: string;
  /** The address that answered, after redirects. */
  finalUrl: string;
  bytes: Uint8Array;
  /** The media type that the server or the file's name declares, with its parameters, or null. */
  declaredType: string | null;
  fetchedAt: string;
  /** Of a fetched page. */
  validators?: Validators | undefined;
  /** The site says that the page is as it is known: no bytes came. */
  isUnchanged?: boolean | undefined;
  /** Of a fetched page: its new address after a permanent redirect (HTTP 301 and 308). */
  movedTo?: string | undefined;
  /** Of a fetched page: how long it stays fresh, as the server says; in milliseconds. */
  freshForMs?: number | undefined;
}

/** A server's validators for a version of a page (RFC 9110, 8.8), used to ask whether it has changed since. */
export interface Validators {
  etag: string | null;
  lastModified: string | null;
}

/** Validators that can be sent again as a header. Longer ones are not kept: the page is then fetched whole each time. */
export const isValidator = (value: string): boolean => value.length <= 500 && /^[\x20-\x7e]+$/.test(value);

/** Of a page that was fetched before: its validators, and the address that answered. */
export interface KnownPage extends Validators {
  finalUrl: string;
}

/** The resource from which an item is made. */
export interface Original extends Resource {
  /** True if a person or their client provided it; false if it was fetched. Only given ones may have our own types. */
  given: boolean;
}

/**
 * The media type of a document that was read before it was saved and is stored in place of its file. It is trusted only
 * for given originals (`Original.given`): if a server declares it, the response is treated as ordinary JSON.
 */
export const unlockedDocumentType = 'application/vnd.commonplace.document+json';
