import type { RequestsAnswered } from '../../records/requests-answered.ts';
import type { AccountAccess } from '../files/account-access.ts';
import { beginRequest, endRequest } from './requests-answered.ts';

/** The methods for requests that may come twice. A part of `createSqliteStore`. */
export function requestsAnsweredOf(access: AccountAccess): RequestsAnswered {
  return {
    beginRequest: (key, fingerprint) => access.write((file, now) => beginRequest(file, key, fingerprint, now)),
    endRequest: (key, answer) => access.write((file) => endRequest(file, key, answer)),
  };
}
