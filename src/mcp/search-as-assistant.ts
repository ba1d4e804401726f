import type { Caller } from '../domain/records/account.ts';
import { callOperation } from '../operations/call.ts';
import type { Services } from '../operations/operation.ts';
import { search } from '../operations/search.ts';
import { answerText } from './saved-text.ts';

/** Searches the whole way that a call of an assistant goes, without keeping the question for suggestions. */
export const searchAsAssistant =
  (services: Services, caller: Caller) =>
  async (query: string, signal: AbortSignal): Promise<string> => {
    const unremembered: Services['search'] = {
      search: (account, asked, ...rest) => services.search.search(account, { ...asked, remember: false }, ...rest),
    };
    return answerText(
      await callOperation(search, 'mcp', { query }, caller, { ...services, search: unremembered, signal }),
    );
  };
