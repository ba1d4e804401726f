import { errors } from 'oidc-provider';
import type { Clock } from '../../domain/clock.ts';
import {
  oauthKinds,
  recordKey,
  unusedClientMs,
  usedRefreshTokenMs,
  type OAuthKind,
} from '../../domain/access/oauth.ts';
import type { OAuthRecord, OAuthRecords } from '../../services/sign-in/sign-in.ts';

interface Payload {
  [field: string]: unknown;
  uid?: string;
  grantId?: string;
}

/** The interface by which oidc-provider stores its records, on `control.db`. */
class RecordsAdapter {
  readonly #kind: OAuthKind;
  readonly #records: OAuthRecords;
  readonly #clock: Clock;

  constructor(kind: OAuthKind, records: OAuthRecords, clock: Clock) {
    this.#kind = kind;
    this.#records = records;
    this.#clock = clock;
  }

  async upsert(id: string, payload: Payload, expiresIn: number | undefined): Promise<void> {
    // The id of a token is the token: it is stored nowhere.
    const { jti: _jti, ...rest } = payload;
    // The provider's session id, which is not needed here, is stored in its cookie.
    if (this.#kind === 'Interaction' && typeof rest['session'] === 'object')
      rest['session'] = { ...rest['session'], cookie: undefined };
    const lifetimeMs = expiresIn === undefined ? unusedClientMs : expiresIn * 1_000;
    await this.#records.put(this.#kind, recordKey(this.#kind, id), {
      payload: JSON.stringify(rest),
      uid: this.#kind === 'Session' ? (payload.uid ?? null) : null,
      grantId: this.#kind === 'Grant' ? id : (payload.grantId ?? null),
      expiresAt: this.#clock.now() + lifetimeMs,
    });
  }

  async find(id: string): Promise<Payload | undefined> {
    return this.#payload(await this.#records.find(this.#kind, recordKey(this.#kind, id)), id);
  }

  async findByUid(uid: string): Promise<Payload | undefined> {
    return this.#payload(await this.#records.findByUid(this.#kind, uid), uid);
  }

  findByUserCode(): Promise<undefined> {
    return Promise.resolve(undefined);
  }

  async consume(id: string): Promise<void> {
    const isFirst = await this.#records.consume(this.#kind, recordKey(this.#kind, id));
    if (isFirst || this.#kind !== 'AuthorizationCode') return;
    // Two requests with one code may both have found it unused. As for a code that was used before, the grant ends.
    const { grantId } = (await this.find(id)) ?? {};
    if (grantId !== undefined) await this.#records.removeGrant(grantId);
    throw new errors.InvalidGrant('the code was used before');
  }

  async destroy(id: string): Promise<void> {
    if (this.#kind === 'Grant') await this.#records.removeGrant(id);
    else await this.#records.remove(this.#kind, recordKey(this.#kind, id));
  }

  async revokeByGrantId(grantId: string): Promise<void> {
    await this.#records.removeByGrant(this.#kind, grantId);
  }

  #payload(record: OAuthRecord | null, id: string): Payload | undefined {
    if (record === null) return undefined;
    const payload = JSON.parse(record.payload) as Payload;
    if (this.#kind !== 'Client') payload['jti'] = id;
    const { consumedAt } = record;
    const graceMs = this.#kind === 'RefreshToken' ? usedRefreshTokenMs : 0;
    if (consumedAt !== null && consumedAt + graceMs <= this.#clock.now())
      payload['consumed'] = Math.max(1, Math.floor(consumedAt / 1_000));
    return payload;
  }
}

/** @throws {Error} for a kind of record that no feature in use needs */
export function createRecordsAdapter(records: OAuthRecords, clock: Clock): (name: string) => RecordsAdapter {
  return (name) => {
    const kind = oauthKinds.find((one) => one === name);
    if (kind === undefined) throw new Error(`no ${name} is ever stored`);
    return new RecordsAdapter(kind, records, clock);
  };
}
