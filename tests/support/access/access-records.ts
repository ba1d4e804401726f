import type { Control } from '../../../src/store/control/control.ts';

const hash = (byte: number): Uint8Array => new Uint8Array(32).fill(byte);

/** Gives an account everything that lets somebody in, found by hashes of this byte and the next three. */
export async function letPeopleIn(control: Control, accountId: string, byte: number, expiresAt: number): Promise<void> {
  const { tokens, signIn, oauth } = control;
  const token = { accountId, requestsPerMinute: null, expiresAt: null, madeBy: null, heldTo: null };
  const scopes = ['content:read' as const];
  await tokens.createToken({ ...token, name: 'laptop', hash: hash(byte), scopes, permissions: null });
  const key = { ...token, name: 'key', hash: hash(byte + 1), scopes, permissions: null, requestsPerMinute: 30 };
  const { id } = await tokens.createToken(key);
  await tokens.rotateToken({ id, hash: hash(byte + 2), oldUntil: expiresAt, by: null });
  const name = `Person ${byte}`;
  await signIn.setLogin(accountId, { name, folded: name.toLowerCase(), passwordHash: 'scrypt' });
  await signIn.createLink({ accountId, purpose: 'reset', hash: hash(byte), expiresAt });
  await signIn.createSession({ accountId, hash: hash(byte), browser: 'A browser', expiresAt });
  const grant = { id: `grant${byte}`, accountId, name: 'An assistant', host: 'example.org', scopes };
  await oauth.put('Client', hash(byte), { payload: '{}', uid: null, grantId: null, expiresAt });
  await oauth.addGrant({ ...grant, clientKey: hash(byte), expiresAt });
  const payload = JSON.stringify({ scope: 'content:read' });
  await oauth.put('AccessToken', hash(byte), { payload, uid: null, grantId: grant.id, expiresAt });
  await control.addUsage({ inputTokens: 1, outputTokens: 2, costMicros: 3 });
  await signIn.serverSecret('a secret');
}

/** What opens the door with these hashes. */
export async function opened(control: Control, accountId: string, byte: number): Promise<unknown> {
  const { tokens, signIn, oauth } = control;
  return {
    credentials: [
      await tokens.findCredential(hash(byte)),
      await tokens.findCredential(hash(byte + 1)),
      await tokens.findCredential(hash(byte + 2)),
    ],
    login: await signIn.findLoginOf(accountId),
    link: await signIn.findLink(hash(byte)),
    session: await signIn.findSession(hash(byte)),
    grants: await oauth.listGrants(accountId),
    access: await oauth.findAccess(hash(byte)),
    usage: await control.usageToday(),
    secret: await signIn.serverSecret('a secret'),
  };
}
