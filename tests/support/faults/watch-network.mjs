/*
 * Loaded into every process and thread of the program before anything else (`NODE_OPTIONS=--import`): writes down each
 * connection and each name that is looked up, and whether the guarded fetch asked for it.
 */
import dns from 'node:dns';
import { appendFileSync } from 'node:fs';
import net from 'node:net';
import dgram from 'node:dgram';

Error.stackTraceLimit = 100;
const file = process.env.COMMONPLACE_TEST_NETWORK_LOG;

function note(kind, target) {
  const guarded = /[\\/](?:worker-)?parts[\\/]guarded-fetch\.js/.test(new Error('where').stack ?? '');
  appendFileSync(file, `${JSON.stringify({ kind, target, guarded })}\n`);
}

const { connect } = net.Socket.prototype;
net.Socket.prototype.connect = function watched(...given) {
  const [options] = given.flat();
  // Pipes between processes are no network.
  if (typeof options !== 'object' || options === null || options.path === undefined) {
    note('connect', `${options?.host ?? 'localhost'}:${options?.port ?? options}`);
  }
  return connect.apply(this, given);
};
const { lookup } = dns;
dns.lookup = function watched(name, ...rest) {
  note('lookup', name);
  return lookup.call(dns, name, ...rest);
};
for (const name of ['resolve', 'resolve4', 'resolve6', 'resolveTxt', 'resolveAny']) {
  const resolve = dns[name];
  dns[name] = function watched(...given) {
    note('resolve', String(given[0]));
    return resolve.apply(dns, given);
  };
}
const { send } = dgram.Socket.prototype;
dgram.Socket.prototype.send = function watched(...given) {
  note('datagram', 'udp');
  return send.apply(this, given);
};
