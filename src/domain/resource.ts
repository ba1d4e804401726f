/** How something is asked for, where a plain GET is not enough. */
export interface ResourceRequest {
  method?: 'GET' | 'POST' | undefined;
  /** Beside the usual ones, or instead of them; lower-case names. They go to the host that is asked, and to no other that it leads to. */
  headers?: Readonly<Record<string, string>> | undefined;
  body?: string | undefined;
}

/** Bytes that were got from somewhere, with what is known of them. Kept as the item's original. */
export interface Resource {
  /** The address that was asked for. */
  url: string;
  /** The address that answered, after redirects. */
  finalUrl: string;
  bytes: Uint8Array;
  /** The type found in the bytes themselves, e.g. `text/html`, `application/pdf`; lower case, no parameters. */
  mediaType: string;
  /** The type that the server or file name claimed, or null. */
  declaredType: string | null;
  /** The encoding of a textual resource as decided (WHATWG label), else null. */
  charset: string | null;
  /** The decoded text of a textual resource, else null. */
  text: string | null;
  fetchedAt: string;
}
