/* What a person chooses for this browser alone. The server reads it from cookies, so that the first view is right already. */

const yearSeconds = 31_536_000;

/** Keeps a choice. The cookies hold no secret and go to this server alone. */
export function keepChoice(name: 'theme' | 'images' | 'players' | 'rows', value: string): void {
  const secure = location.protocol === 'https:' ? '; Secure' : '';
  document.cookie = `commonplace-${name}=${value}; Path=/; SameSite=Lax; Max-Age=${yearSeconds}${secure}`;
}
