/** What the person chose for this browser. */
export interface Choices {
  theme: 'system' | 'light' | 'dark';
  /** How the list shows an item: in three lines, in one, or as a card with its picture. */
  rows: 'list' | 'compact' | 'cards';
  /** Of the text that is read: size of type, width, distance of lines. */
  size: 's' | 'm' | 'l' | 'xl';
  width: 's' | 'm' | 'l';
  lines: 's' | 'm' | 'l';
  /** Whether the server fetches and keeps the icons of sites. */
  icons: 'off' | 'on';
  /** Whether pictures and players of other sites are loaded. */
  images: 'off' | 'on';
  players: 'off' | 'on';
}

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
  choices: Choices;
  answers: { operation: string; input: object; answer?: unknown; problem?: string }[];
}
