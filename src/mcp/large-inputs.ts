import type { Caller } from '../domain/records/account.ts';
import { operations } from '../operations/index.ts';
import { mayCall } from '../operations/permissions.ts';
import type { LargePlaces } from '../requests/request-protocol.ts';

const largeOperations = operations.filter(({ largeInputs }) => largeInputs !== undefined);

/** The tool inputs that may be large in an MCP message. */
export const largePlaces: LargePlaces = {
  kind: 'tool call',
  tools: Object.fromEntries(largeOperations.map(({ name, largeInputs = [] }) => [name, largeInputs])),
};

/** Whether a caller may use a tool that takes large inputs. */
export function maySendLarge(caller: Caller): boolean {
  return largeOperations.some((operation) => mayCall(operation, caller));
}
