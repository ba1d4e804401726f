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
}

/** The resource from which an item is made. */
export interface Original extends Resource {
  /** True if a person or their client provided it; false if it was fetched. Only given ones may have our own types. */
  given: boolean;
}
