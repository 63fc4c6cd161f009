import { describe, expect, it } from 'vitest';
import {
  addressesOfSessions,
  formatIgnored,
  keptAddresses,
} from '../../../appliance/ban/ignored.ts';
import { TemporaryHost } from '../temporary-host.ts';

const file = 'etc/landfall/ban.json';

describe('addresses that are never banned', () => {
  it('are none where nothing is kept', async () => {
    expect(await keptAddresses(TemporaryHost.with({}))).toEqual([]);
  });

  it('are read back as they were written', async () => {
    const kept = ['203.0.113.7', '2001:db8::/48'];
    const host = TemporaryHost.with({ [file]: formatIgnored(kept) });
    expect(await keptAddresses(host)).toEqual(kept);
  });

  it.each([
    ['a name', '{"ignore": ["example.com"]}'],
    ['words for fail2ban', '{"ignore": ["203.0.113.7\\nbanaction = x"]}'],
    ['no list', '{"ignore": "203.0.113.7"}'],
    ['half a file', '{"ignore": ['],
  ])('are not %s', async (_what, text) => {
    await expect(keptAddresses(TemporaryHost.with({ [file]: text }))).rejects.toMatchObject({
      code: 'STATE_INVALID',
    });
  });
});

describe('who is logged in', () => {
  const sessions = (list: string, shown: string) =>
    addressesOfSessions(
      TemporaryHost.with({}, { 'loginctl list-sessions': list, 'loginctl show-session': shown }),
    );

  it('is told by their addresses, each once', async () => {
    const list = '  3 1000 ops - 812 user - no -\n 12 1000 ops - 900 user - no -\n';
    const shown = 'RemoteHost=203.0.113.7\n\nRemoteHost=203.0.113.7\n\nRemoteHost=2001:db8::7\n';
    expect(await sessions(list, shown)).toEqual(['2001:db8::7', '203.0.113.7']);
  });

  it('is nobody on the console, and nobody whose host has a name', async () => {
    expect(await sessions('c1 0 root seat0 1 user tty1 no -\n', 'RemoteHost=\n')).toEqual([]);
    expect(await sessions('3 0 root - 1 user - no -\n', 'RemoteHost=laptop\n')).toEqual([]);
  });

  it('is asked by the numbers of the sessions', async () => {
    const host = TemporaryHost.with({}, { 'loginctl list-sessions': ' 3 x\n c12 y\n' });
    await addressesOfSessions(host);
    expect(host.ran).toContain('loginctl show-session --property=RemoteHost 3 c12');
  });

  it('is nobody where no login is kept count of', async () => {
    const host = TemporaryHost.with({}, { 'loginctl list-sessions': 1 });
    expect(await addressesOfSessions(host)).toEqual([]);
  });
});
