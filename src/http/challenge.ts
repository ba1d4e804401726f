/** A value of a header as a quoted string. */
export function quoted(text: string): string {
  return `"${text.replaceAll(/["\\]/g, String.raw`\$&`)}"`;
}

/** The value of WWW-Authenticate (RFC 6750). */
export function challenge(...parameters: string[]): Record<string, string> {
  return { 'WWW-Authenticate': `Bearer ${['realm="commonplace"', ...parameters].join(', ')}` };
}

/** The WWW-Authenticate header of a refusal for lack of permission, which names what is missing where that is one thing. */
export function scopeChallenge(scope?: string): Record<string, string> {
  return challenge('error="insufficient_scope"', ...(scope === undefined ? [] : [`scope=${quoted(scope)}`]));
}
