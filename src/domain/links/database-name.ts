/**
 * A database's address without its role, password and options: `db.example.org:5432/commonplace`. A folder of sockets
 * stands in place of a host.
 */
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
