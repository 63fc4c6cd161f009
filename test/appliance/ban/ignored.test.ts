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
  const show = 'loginctl show-session --property=RemoteHost --property=State';

  /** What logind has: by the number of a session, where from it is; 1 where it has just ended. */
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

  it('is told by their addresses, each once', async () => {
    const active = (address: string) => `RemoteHost=${address}\nState=active\n`;
    const all = { 3: active('203.0.113.7'), 12: active('203.0.113.7'), c4: active('2001:db8::7') };
    expect(await sessions(all)).toEqual(['2001:db8::7', '203.0.113.7']);
  });

  it('excludes console sessions and host names', async () => {
    expect(await sessions({ c1: 'RemoteHost=\nState=active\n' })).toEqual([]);
    expect(await sessions({ 3: 'RemoteHost=laptop\nState=online\n' })).toEqual([]);
  });

  // logind kept such a login for ever, and who guessed from there was never banned.
  it('excludes sessions that are closing', async () => {
    expect(await sessions({ 3: 'RemoteHost=203.0.113.7\nState=closing\n' })).toEqual([]);
  });

  // One that had just ended took those behind it along.
  it('is told of each although another has just left', async () => {
    const left = 'RemoteHost=203.0.113.7\nState=online\n';
    expect(await sessions({ 3: 1, 4: left })).toEqual(['203.0.113.7']);
  });

  it('is empty if logind tracks no sessions', async () => {
    const host = TemporaryHost.with({}, { 'loginctl list-sessions': 1 });
    expect(await addressesOfSessions(host)).toEqual([]);
  });
});
