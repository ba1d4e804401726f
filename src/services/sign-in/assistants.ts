import { AppError } from '../../errors.ts';
import type { GrantRecord, OAuthRecord, OAuthRecords } from '../../store/records/oauth-records.ts';
import type { Stores } from '../../store/store.ts';

export type { GrantRecord, OAuthRecord, OAuthRecords };

/** The assistants that people have let in. */
export interface AssistantsService {
  list(accountId: string): Promise<GrantRecord[]>;
  /** Ends what an assistant may do, from the next request on. @throws {AppError} `not_found` */
  cutOff(accountId: string, id: string): Promise<void>;
  /** Where the authorization server keeps its records. */
  records: OAuthRecords;
}

export function createAssistantsService({ control }: Pick<Stores, 'control'>): AssistantsService {
  return {
    list: (accountId) => control.oauth.listGrants(accountId),
    async cutOff(accountId, id) {
      if (!(await control.oauth.endGrant(accountId, id)))
        throw new AppError('not_found', 'This assistant is not connected any more.');
    },
    records: control.oauth,
  };
}
