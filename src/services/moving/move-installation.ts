import { noSuchAccount } from '../../errors.ts';
import type { Store, Stores } from '../../store/store.ts';
import { type MovedLibrary, moveLibrary, digestOf } from './move-library.ts';

/* Copies all accounts, one by one, into an installation on another engine. */

export interface MovableInstallation {
  readonly control: Pick<Stores['control'], 'listAccounts' | 'transfer'>;
  open(accountId: string): Promise<Store>;
}

export interface MovedInstallation {
  accounts: (MovedLibrary & { id: string })[];
  /** Accounts whose tokens or sign-in changed while they were copied: a further run copies them again. */
  changedMeanwhile: string[];
}

interface MoveInstallationOptions {
  signal: AbortSignal;
  onItem?: (account: string, done: number, total: number) => void;
}

/** Accounts that were set aside are not copied. @throws {AppError} like `moveLibrary` */
export async function moveInstallation(
  from: MovableInstallation,
  to: MovableInstallation,
  { signal, onItem }: MoveInstallationOptions,
): Promise<MovedInstallation> {
  const { transfer: source } = from.control;
  const { transfer: target } = to.control;
  await target.restoreCommon(await source.readCommon());
  const moved: MovedInstallation = { accounts: [], changedMeanwhile: [] };
  for (const { id } of await from.control.listAccounts()) {
    signal.throwIfAborted();
    const account = await source.readAccount(id);
    // Removed meanwhile.
    if (account === null) continue;
    await target.restoreAccount(account);
    const library = await moveLibrary(await from.open(id), await to.open(id), {
      signal,
      onItem: (done, total) => onItem?.(id, done, total),
    });
    moved.accounts.push({ id, ...library });
    const copied = await target.readAccount(id);
    if (copied === null) throw noSuchAccount();
    if (digestOf(copied) !== digestOf(await source.readAccount(id))) moved.changedMeanwhile.push(id);
  }
  return moved;
}
