import { isLoopbackHost } from './loopback.ts';

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
