import { describe, expect, it } from 'vitest';
import { isOnLoopback, socks, socksOpening } from '#contract/site/network/socks.ts';

const isValid = (fields: object) => socks.safeParse(fields).success;

describe('the SOCKS5 server of a site', () => {
  it('sets the SOCKS5 port of the specification, on loopback, and leaves it off by default', () => {
    expect(socks.parse({})).toMatchObject({ port: 7891, listen: '127.0.0.1', allow: [] });
    expect(socks.parse(undefined)).toBeUndefined();
  });

  it.each(['127.0.0.1', '::1', '10.8.0.1', '192.168.1.2', '172.31.0.1', '100.64.0.1', 'fd00::1'])(
    'may listen at %s',
    (listen) => expect(isValid({ listen })).toBe(true),
  );

  it.each(['0.0.0.0', '::', '203.0.113.7', '2001:db8::1', '172.32.0.1', 'eth0', '10.8.0.1 ', ''])(
    'may not listen at %j',
    (listen) => expect(isValid({ listen })).toBe(false),
  );

  it.each(['10.8.0.0/24', '10.8.0.2', '10.0.0.0/8', 'fd00::/64'])('may serve %s', (range) => {
    expect(isValid({ allow: [range] })).toBe(true);
  });

  it.each(['0.0.0.0/0', '10.0.0.0/7', '203.0.113.0/24', '::/0', '::ffff:10.0.0.0/104', '2000::/3'])(
    'may not serve %s',
    (range) => expect(isValid({ allow: [range] })).toBe(false),
  );

  it.each(['', "o'ps", 'a b', 'a$b', 'a\nb', 'a'.repeat(33)])('rejects the user %j', (username) => {
    expect(isValid({ username })).toBe(false);
  });

  it('opens its port for a private address only', () => {
    const at = (listen: string) => ({ socks: socks.parse({ listen }) });
    expect(socksOpening(at('10.8.0.1'))).toEqual(['7891/tcp']);
    expect(socksOpening(at('127.0.0.2'))).toEqual([]);
    expect(socksOpening({ socks: undefined })).toEqual([]);
    expect(isOnLoopback({ listen: '::1' })).toBe(true);
  });
});
