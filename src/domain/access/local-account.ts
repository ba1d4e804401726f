/** The account that a fresh install has and that stdio and the CLI use without a token. */
export const localAccountId = 'local';
