/** How the extension reaches the library, and what the person chose. */
export interface Settings {
  /** `machine`: the program on this machine, by native messaging. */
  way: 'machine' | 'server';
  /** The origin of the server, and the key that it gave; empty on this machine. */
  server: string;
  key: string;
  /** Whether highlights of a saved page are drawn when the panel is opened on it. */
  draws: boolean;
}

const usual: Settings = { way: 'machine', server: '', key: '', draws: true };

export async function readSettings(): Promise<Settings> {
  return { ...usual, ...(await chrome.storage.local.get(usual)) };
}

export async function changeSettings(changes: Partial<Settings>): Promise<void> {
  await chrome.storage.local.set(changes);
}

/** Scripts in pages do not read the key. Firefox lets them read no less, but only scripts of the extension are meant. */
export async function closeStorage(): Promise<void> {
  await chrome.storage.local.setAccessLevel?.({ accessLevel: 'TRUSTED_CONTEXTS' });
}
