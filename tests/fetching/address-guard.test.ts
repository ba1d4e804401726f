import { describe, expect, it } from 'vitest';
import { SharedPlaces } from '../../src/domain/turns/shared-places.ts';
import { guardedLookup, isPublicAddress, literalAddress, lookupInTurn } from '../../src/fetching/address-guard.ts';

describe('isPublicAddress', () => {
  it.each(['93.184.215.14', '1.1.1.1', '2606:2800:21f:cb07:6820:80da:af6b:8b2c', '2a00:1450:4001::200e'])(
    'allows %s',
    (address) => {
      expect(isPublicAddress(address)).toBe(true);
    },
  );

  it.each([
    '127.0.0.1',
    '127.8.8.8',
    '0.0.0.0',
    '10.0.0.1',
    '172.16.0.1',
    '172.31.255.255',
    '192.168.1.1',
    '169.254.169.254',
    '100.64.0.1',
    '192.0.0.1',
    '192.0.2.1',
    '198.18.0.1',
    '198.51.100.1',
    '203.0.113.1',
    '224.0.0.1',
    '240.0.0.1',
    '255.255.255.255',
    '::',
    '::1',
    '::7f00:1',
    '::127.0.0.1',
    '::ffff:127.0.0.1',
    '::ffff:7f00:1',
    '::ffff:0:127.0.0.1',
    '64:ff9b::7f00:1',
    '64:ff9b:1::7f00:1',
    '100::1',
    '2001::1',
    '2001:0:4136:e378:8000:63bf:3fff:fdd2',
    '2001:20::1',
    '2001:db8::1',
    '2002:7f00:1::',
    '3fff::1',
    'fc00::1',
    'fd12:3456::1',
    'fe80::1',
    'fe80::1%eth0',
    'fec0::1',
    'ff02::1',
    'example.com',
    '',
  ])('refuses %j', (address) => {
    expect(isPublicAddress(address)).toBe(false);
  });
});

describe('literalAddress', () => {
  it.each([
    ['http://127.0.0.1/', '127.0.0.1'],
    ['http://2130706433/', '127.0.0.1'],
    ['http://0x7f000001/', '127.0.0.1'],
    ['http://0x7f.0.0.1/', '127.0.0.1'],
    ['http://0177.0.0.1/', '127.0.0.1'],
    ['http://017700000001/', '127.0.0.1'],
    ['http://127.1/', '127.0.0.1'],
    ['http://127.0.0.1./', '127.0.0.1'],
    ['http://[::1]/', '::1'],
    ['http://[::ffff:127.0.0.1]/', '::ffff:7f00:1'],
    ['http://１２７.0.0.1/', '127.0.0.1'],
    ['http://localhost/', null],
    ['http://example.com/', null],
  ])('%s → %s', (url, address) => {
    expect(literalAddress(new URL(url))).toBe(address);
  });
});

describe('guardedLookup', () => {
  const ask = (addresses: string[], all: boolean): Promise<unknown> =>
    new Promise((resolve) => {
      const lookup = guardedLookup(isPublicAddress, (_host, _options, callback) =>
        callback(
          null,
          addresses.map((address) => ({ address, family: address.includes(':') ? 6 : 4 })),
        ),
      );
      lookup('site.test', { all }, (error, found) => resolve(error === null ? found : error.message));
    });

  it('gives public addresses', async () => {
    expect(await ask(['1.1.1.1', '2606:4700::1111'], true)).toHaveLength(2);
    expect(await ask(['1.1.1.1'], false)).toBe('1.1.1.1');
  });

  it.each([[['127.0.0.1']], [['1.1.1.1', '10.0.0.1']], [['1.1.1.1', '::1']], [[]]])('refuses %j', async (addresses) => {
    expect(await ask(addresses, true)).toMatch(/not on the public internet/);
    expect(await ask(addresses, false)).toMatch(/not on the public internet/);
  });
});

describe('lookupInTurn', () => {
  const never = new AbortController().signal;

  it('leaves slots to other accounts while name servers do not answer one', async () => {
    const asked: string[] = [];
    const answers: (() => void)[] = [];
    const places = new SharedPlaces({ total: 4, reserved: 2 });
    const ask = (name: string, accountId: string, signal = never): Promise<unknown> => {
      const lookup = lookupInTurn(places, accountId, signal, (host, _options, callback) => {
        asked.push(host);
        answers.push(() => callback(null, '1.1.1.1', 4));
      });
      return new Promise((resolve) => lookup(name, {}, (error, found) => resolve(error ?? found)));
    };
    const given = ['a', 'b', 'c'].map((name) => ask(name, 'attacker'));
    const stop = new AbortController();
    const stopped = ask('d', 'attacker', stop.signal);
    given.push(ask('honest', 'other'));
    await expect.poll(() => asked).toEqual(['a', 'b', 'honest']);
    stop.abort(new Error('nobody waits'));
    expect(await stopped).toEqual(new Error('nobody waits'));
    // Only the system's answer makes room, and who waits no more takes none.
    for (const at of [0, 2]) answers[at]?.();
    await expect.poll(() => asked).toEqual(['a', 'b', 'honest', 'c']);
    for (const at of [1, 3]) answers[at]?.();
    expect(await Promise.all(given)).toEqual(['1.1.1.1', '1.1.1.1', '1.1.1.1', '1.1.1.1']);
  });
});
