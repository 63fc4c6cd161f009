import { describe, expect, it } from 'vitest';
import {
  addressesOfSessions,
  formatIgnored,
  keptAddresses,
} from '../../../../appliance/stages/ban/ignored.ts';
import { TemporaryHost } from '../../temporary-host.ts';

const file = 'etc/landfall/ban.json';

describe('addresses that are never banned', () => {
  it('returns no ignored addresses if none are stored', async () => {
    expect(await keptAddresses(TemporaryHost.with({}))).toEqual([]);
  });

  it('reads ignored addresses unchanged after writing them', async () => {
    const kept = ['203.0.113.7', '2001:db8::/48'];
    const host = TemporaryHost.with({ [file]: formatIgnored(kept) });
    expect(await keptAddresses(host)).toEqual(kept);
  });

  it.each([
    ['a host name', '{"ignore": ["example.com"]}'],
    ['a setting of fail2ban', '{"ignore": ["203.0.113.7\\nbanaction = x"]}'],
    ['a string instead of a list', '{"ignore": "203.0.113.7"}'],
    ['a truncated file', '{"ignore": ['],
  ])('rejects stored ignored addresses: %s', async (_what, text) => {
    await expect(keptAddresses(TemporaryHost.with({ [file]: text }))).rejects.toMatchObject({
      code: 'STATE_INVALID',
    });
  });
});

describe('the addresses of active logins', () => {
  const show = 'loginctl show-session --property=RemoteHost --property=State';

  /** The output of logind by session ID; 1 for a session that ended during the query. */
  const sessions = (shown: Readonly<Record<string, string | 1>>) =>
    addressesOfSessions(
      TemporaryHost.with(
        {},
        {
          'loginctl list-sessions': Object.keys(shown)
            .map((id) => `  ${id} 1000 ops - 812 user - no -\n`)
            .join(''),
          ...Object.fromEntries(Object.entries(shown).map(([id, text]) => [`${show} ${id}`, text])),
        },
      ),
    );

  it('lists the address of each active login once', async () => {
    const active = (address: string) => `RemoteHost=${address}\nState=active\n`;
    const all = { 3: active('203.0.113.7'), 12: active('203.0.113.7'), c4: active('2001:db8::7') };
    expect(await sessions(all)).toEqual(['2001:db8::7', '203.0.113.7']);
  });

  it('exclude console sessions and host names', async () => {
    expect(await sessions({ c1: 'RemoteHost=\nState=active\n' })).toEqual([]);
    expect(await sessions({ 3: 'RemoteHost=laptop\nState=online\n' })).toEqual([]);
  });

  // logind may keep such a session forever, and its address could never be banned.
  it('exclude sessions that are closing', async () => {
    expect(await sessions({ 3: 'RemoteHost=203.0.113.7\nState=closing\n' })).toEqual([]);
  });

  // Regression: the addresses of later sessions were lost.
  it('include all other sessions when one ends during the query', async () => {
    const left = 'RemoteHost=203.0.113.7\nState=online\n';
    expect(await sessions({ 3: 1, 4: left })).toEqual(['203.0.113.7']);
  });

  it('returns no addresses of logins if logind tracks no sessions', async () => {
    const host = TemporaryHost.with({}, { 'loginctl list-sessions': 1 });
    expect(await addressesOfSessions(host)).toEqual([]);
  });
});
