import type { Choices, Start } from '../start.ts';

/* What a person chooses for this browser alone. The server reads it from cookies, so that the first view is right already. */

const yearSeconds = 31_536_000;

/** Keeps a choice, and shows it where the style sheet reads it. The cookies hold no secret and go to this server alone. */
export function choose<Name extends keyof Choices>({ choices }: Start, name: Name, value: Choices[Name]): void {
  const secure = location.protocol === 'https:' ? '; Secure' : '';
  document.cookie = `commonplace-${name}=${value}; Path=/; SameSite=Lax; Max-Age=${yearSeconds}${secure}`;
  choices[name] = value;
  document.documentElement.dataset[name] = value;
  // A list measures its rows anew.
  dispatchEvent(new Event('resize'));
}
