/** A folder of a mailbox: on a server that speaks IMAP, or in a Maildir of this machine. */
export type MailboxAddress =
  | { kind: 'imap'; host: string; port: number; isSecure: boolean; user: string; folder: string }
  | { kind: 'maildir'; path: string };

/**
 * `imaps://user@host/Folder` or the full path of a Maildir; null for anything else. Only a server of this machine is asked
 * without TLS (`imap://user@127.0.0.1:143/Folder`). The password is a setting by itself, because addresses are shown.
 */
export function mailboxAddress(text: string): MailboxAddress | null {
  // A full path, of Windows, too.
  if (/^(?:\/|[a-z]:[\\/])/i.test(text)) return { kind: 'maildir', path: text };
  const url = URL.parse(text);
  if (url === null || url.password !== '' || url.username === '' || url.hostname === '') return null;
  const isSecure = url.protocol === 'imaps:';
  const host = url.hostname.replaceAll(/[[\]]/g, '');
  if (!isSecure && !(url.protocol === 'imap:' && isLoopbackHost(host))) return null;
  try {
    const user = decodeURIComponent(url.username);
    const folder = decodeURIComponent(url.pathname.slice(1)) || 'INBOX';
    // A line of the protocol ends with these.
    if (/[\r\n\0]/.test(user + folder)) return null;
    return { kind: 'imap', host, port: Number(url.port) || (isSecure ? 993 : 143), isSecure, user, folder };
  } catch {
    return null;
  }
}

/** Whether a host to listen on is reachable only from this machine. */
export function isLoopbackHost(host: string): boolean {
  return host === 'localhost' || host === '::1' || host === '[::1]' || /^127\.\d+\.\d+\.\d+$/.test(host);
}

/** A database's address without its role, password and options: `db.example.org:5432/commonplace`. A socket folder may replace the host. */
export function databaseName(address: string): string {
  const url = URL.parse(address);
  if (url === null) return 'the database';
  const host = decoded(url.hostname) || url.searchParams.get('host') || 'localhost';
  return `${host}${url.port === '' ? '' : `:${url.port}`}${decoded(url.pathname)}`;
}

/** The role that an address names; null when it names none. */
export function databaseRole(address: string): string | null {
  const role = decoded(URL.parse(address)?.username ?? '');
  return role === '' ? null : role;
}

/** Whether it holds a password. */
export function holdsPassword(address: string): boolean {
  const url = URL.parse(address);
  return url !== null && (url.password !== '' || url.searchParams.has('password'));
}

function decoded(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}

/**
 * An address from the settings, safe to show: without user name, password and the values of its parameters, which may
 * be keys. Text that is not an address is returned unchanged.
 */
export function shownUrl(text: string): string {
  const url = URL.parse(text);
  if (url === null || (url.username === '' && url.password === '' && url.search === '')) return text;
  if (url.username !== '') url.username = '***';
  if (url.password !== '') url.password = '***';
  for (const name of new Set(url.searchParams.keys())) url.searchParams.set(name, '***');
  return url.href;
}
