import { connect as connectTcp, isIP, type Socket } from 'node:net';
import { connect as connectTls } from 'node:tls';
import { bareHost, ProxyError, type ProxyTrouble } from '../domain/links/proxies.ts';

const maxHeadBytes = 16 * 1024;

/**
 * Connects to a proxy, and has it connect to a server (CONNECT, RFC 9110 9.3.6).
 * @param authority of the server: an IP address or a name, and a port
 * @param timeoutMs for all of it
 * @returns a connection to the server
 * @throws {ProxyError}
 */
export async function openTunnel(proxy: URL, authority: string, timeoutMs: number): Promise<Socket> {
  const socket = await connectToProxy(proxy, timeoutMs);
  return new Promise((resolve, reject) => {
    let head = Buffer.alloc(0);
    const stop = (error: ProxyError | null) => {
      clearTimeout(timer);
      socket.off('readable', read).off('error', broken).off('close', broken);
      if (error === null) return resolve(socket);
      socket.on('error', () => undefined).destroy();
      reject(error);
    };
    const broken = (cause?: unknown) => stop(new ProxyError(proxy, 'garbled', { cause }));
    const read = () => {
      const chunk = socket.read() as Buffer | null;
      if (chunk === null) return;
      // The last bytes may be the beginning of the end of the head.
      const from = Math.max(0, head.length - 3);
      head = Buffer.concat([head, chunk]);
      const end = head.indexOf('\r\n\r\n', from);
      if (end < 0 && head.length > maxHeadBytes) return broken();
      if (end < 0) return;
      const [, status] = /^HTTP\/1\.[01] (\d{3})(?= |\r)/.exec(head.toString('latin1', 0, end + 2)) ?? [];
      if (status === undefined) return broken();
      if (!status.startsWith('2')) {
        const trouble = status === '407' ? 'unauthorized' : 'refused';
        return stop(new ProxyError(proxy, trouble, { status: Number(status) }));
      }
      stop(null);
      if (end + 4 < head.length) socket.unshift(head.subarray(end + 4));
    };
    const timer = setTimeout(() => stop(new ProxyError(proxy, 'slow')), timeoutMs);
    socket.on('error', broken).on('close', broken).on('readable', read);
    socket.write(`CONNECT ${authority} HTTP/1.1\r\nHost: ${authority}\r\n${authorization(proxy)}\r\n`);
  });
}

/**
 * Connects to a proxy. It is named by the settings, so its own address is not checked.
 * @throws {ProxyError}
 */
export function connectToProxy(proxy: URL, timeoutMs: number): Promise<Socket> {
  const isEncrypted = proxy.protocol === 'https:';
  if (!isEncrypted && proxy.protocol !== 'http:') return Promise.reject(new ProxyError(proxy, 'unsupported'));
  const host = bareHost(proxy.hostname);
  const place = { host, port: Number(proxy.port || (isEncrypted ? 443 : 80)) };
  return new Promise((resolve, reject) => {
    const socket = isEncrypted
      ? connectTls({ ...place, servername: isIP(host) === 0 ? host : '' })
      : connectTcp({ ...place, noDelay: true });
    const fail = (trouble: ProxyTrouble, cause?: Error) => {
      clearTimeout(timer);
      socket.on('error', () => undefined).destroy();
      reject(new ProxyError(proxy, trouble, { cause }));
    };
    const timer = setTimeout(() => fail('slow'), timeoutMs);
    const unreachable = (cause: Error) => fail('unreachable', cause);
    socket.once('error', unreachable);
    socket.once(isEncrypted ? 'secureConnect' : 'connect', () => {
      clearTimeout(timer);
      socket.off('error', unreachable);
      resolve(socket);
    });
  });
}

function authorization({ username, password }: URL): string {
  if (username === '' && password === '') return '';
  const pair = `${decodeURIComponent(username)}:${decodeURIComponent(password)}`;
  return `Proxy-Authorization: Basic ${Buffer.from(pair).toString('base64')}\r\n`;
}
