/** How something is asked for, where a plain GET is not enough. */
export interface ResourceRequest {
  method?: 'GET' | 'POST' | undefined;
  /** Beside the usual ones, or instead of them; lower-case names. They go to the host that is asked, and to no other that it leads to. */
  headers?: Readonly<Record<string, string>> | undefined;
  body?: string | undefined;
}

/**
 * Bytes that were got from somewhere, with what the other side said of them. Nobody has looked at them yet: what they are, and their
 * text, is found out where they are read (`sources/decoding`), apart from the main thread.
 */
export interface Resource {
  /** The address that was asked for. */
  url: string;
  /** The address that answered, after redirects. */
  finalUrl: string;
  bytes: Uint8Array;
  /** The type that the server or the file's name claimed, with its parameters, or null. */
  declaredType: string | null;
  fetchedAt: string;
}

/** A resource as an item's original. */
export interface Original extends Resource {
  /** Whether a person or a client of theirs handed it over; else it was fetched. Only then may it be of a type of our own. */
  given: boolean;
}
