import { describe, expect, it } from 'vitest';
import { formatOpening, parseOpening } from '#contract/site/opening.ts';
import { siteSchema } from '#contract/site/site.ts';
import { editSettings, readOpening, stillOpen } from '../../../appliance/firewall/edit-settings.ts';
import { openingsOf } from '../../../appliance/firewall/openings.ts';
import {
  type FirewallSettings,
  formatSettings,
  readSettings,
} from '../../../appliance/firewall/settings.ts';
import { TemporaryHost } from '../temporary-host.ts';

const file = 'etc/landfall/firewall.json';
const siteWith = (...allow: string[]) =>
  siteSchema.parse({
    release: ['https://example.com/r/'],
    admin: { ssh_keys: ['ssh-ed25519 AAAA'] },
    firewall: { allow },
  });

describe('the firewall settings of the administrator', () => {
  it('are empty without a file', async () => {
    expect(await readSettings(TemporaryHost.with({}))).toEqual({ allow: [], deny: [] });
  });

  it('are unchanged after writing and reading', async () => {
    const settings = { allow: ['8443/tcp'], deny: ['80/tcp'] };
    const host = TemporaryHost.with({ [file]: formatSettings(settings) });
    expect(await readSettings(host)).toEqual(settings);
  });

  it.each([
    ['not JSON', '{'],
    ['a list', '[]'],
    ['an unknown key', '{"open": ["80/tcp"]}'],
    ['a port without its protocol', '{"allow": ["8443"]}'],
    ['an nft statement', '{"allow": ["80/tcp accept; flush ruleset"]}'],
  ])('are rejected if they are %s', async (_what, text) => {
    await expect(readSettings(TemporaryHost.with({ [file]: text }))).rejects.toMatchObject({
      code: 'FIREWALL_INVALID',
      hint: expect.stringContaining('was not changed'),
    });
  });
});

describe('open ports', () => {
  const open = (settings: Partial<FirewallSettings>, ...ofSite: string[]) =>
    openingsOf(siteWith(...ofSite), { allow: [], deny: [], ...settings }).map(formatOpening);

  it('are 80 and 443 by default', () => {
    expect(open({})).toEqual(['80/tcp', '443/tcp']);
  });

  it('include those of the site and the administrator, once each and sorted', () => {
    expect(open({ allow: ['6000:6010/udp', '8443/tcp'] }, '8443/tcp', '53/udp')).toEqual([
      ...['53/udp', '80/tcp', '443/tcp', '6000-6010/udp', '8443/tcp'],
    ]);
  });

  it('exclude those that the administrator closed', () => {
    expect(open({ deny: ['80/tcp', '8443/tcp'] }, '8443/tcp')).toEqual(['443/tcp']);
  });
});

type Request = [string, 'allow' | 'deny', string, Partial<FirewallSettings>, FirewallSettings];
const requests: readonly Request[] = [
  ['opens a port', 'allow', '9000/tcp', {}, { allow: ['9000/tcp'], deny: [] }],
  [
    'opens a port only once',
    'allow',
    '9000/tcp',
    { allow: ['9000/tcp'] },
    { allow: ['9000/tcp'], deny: [] },
  ],
  ['closes an opened port', 'deny', '9000/tcp', { allow: ['9000/tcp'] }, { allow: [], deny: [] }],
  ['closes a default port', 'deny', '80/tcp', {}, { allow: [], deny: ['80/tcp'] }],
  ['closes a port of the site', 'deny', '8443/tcp', {}, { allow: [], deny: ['8443/tcp'] }],
  ['reopens a default port', 'allow', '80/tcp', { deny: ['80/tcp'] }, { allow: [], deny: [] }],
  [
    'accepts both range separators',
    'deny',
    '5:7/udp',
    { allow: ['5-7/udp'] },
    { allow: [], deny: [] },
  ],
];

describe('a request of the administrator', () => {
  const request = (
    kind: 'allow' | 'deny',
    text: string,
    before: Partial<FirewallSettings> = {},
  ) => {
    const opening = parseOpening(text);
    if (!opening) throw new Error(text);
    const site = siteWith('8443/tcp');
    const settings = { allow: [], deny: [], ...before };
    return editSettings(settings, { kind, opening }, { site, ssh: [22, 2222] });
  };

  it('removes an entry as it was added, even if it includes a port of SSH', () => {
    expect(request('deny', '20-30/tcp', { allow: ['20-30/tcp'] })).toEqual({ allow: [], deny: [] });
  });

  // Regression: the output was "is closed" while the range stayed open.
  it.each([
    ['6005/tcp', '6000-6010/tcp'],
    ['5990-6003/tcp', '6000-6010/tcp'],
    ['8000-9000/tcp', '8443/tcp'],
  ])('cannot close %s if is only a part of an entry, or more than one', (text, entry) => {
    expect(() => request('deny', text, { allow: ['6000-6010/tcp'] })).toThrowError(
      expect.objectContaining({
        code: 'USAGE',
        message: expect.stringContaining(entry),
        hint: expect.stringContaining(`deny ${entry}`),
      }),
    );
  });

  it('may close a port that is already closed', () => {
    expect(request('deny', '6005/udp', { allow: ['6000-6010/tcp'] })).toEqual({
      allow: ['6000-6010/tcp'],
      deny: [],
    });
  });

  it('removes an entry, and reports which entries keep its ports open', () => {
    const before = { allow: ['6000-6010/tcp', '6005/tcp'] };
    expect(request('deny', '6005/tcp', before)).toEqual({ allow: ['6000-6010/tcp'], deny: [] });
    const opening = { first: 20, last: 30, protocol: 'tcp' } as const;
    const open = { ssh: [22], openings: [{ ...opening, first: 30, last: 31 }] };
    expect(stillOpen(opening, open).map(formatOpening)).toEqual(['22/tcp', '30-31/tcp']);
  });

  it.each(requests)('%s', (_what, kind, text, before, after) => {
    expect(request(kind, text, before)).toEqual(after);
  });

  it.each(['22/tcp', '2222/tcp', '1-65535/tcp'])('never closes SSH: %s', (text) => {
    expect(() => request('deny', text)).toThrowError(
      expect.objectContaining({
        code: 'USAGE',
        hint: expect.stringContaining('Move sshd to another port'),
      }),
    );
  });

  it.each([undefined, '', 'ssh', '8443', '99999/tcp'])(
    'is rejected without a valid port: %s',
    (text) => {
      expect(() => readOpening(text)).toThrowError(
        expect.objectContaining({ code: 'USAGE', hint: expect.stringContaining('8443/tcp') }),
      );
    },
  );
});
