/** What the server sends with the document: who this is, and the answers that the first view shows. */
export interface Start {
  /** Path and query. */
  address: string;
  formToken: string;
  /** The name of the account. */
  account: string;
  accountId: string;
  /** Whether there is a page of sessions, tokens and connected assistants. */
  hasAccountPage: boolean;
  /** Where assistants sign in; null: they cannot, and take a token. */
  assistantsSignInAt: string | null;
  /** The address of this server. */
  origin: string;
  /** The id of the session that this browser has. */
  session: string;
  version: string;
  theme: 'light' | 'dark' | 'system';
  /** Pictures and players of other sites are loaded. */
  images: boolean;
  players: boolean;
  /** How the list shows an item: in three lines, or in one. */
  rows: 'list' | 'compact';
  answers: { operation: string; input: object; answer?: unknown; problem?: string }[];
}
