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

describe("the administrator's settings", () => {
  it('are empty where there is no file', async () => {
    expect(await readSettings(TemporaryHost.with({}))).toEqual({ allow: [], deny: [] });
  });

  it('are read back as they were written', async () => {
    const settings = { allow: ['8443/tcp'], deny: ['80/tcp'] };
    const host = TemporaryHost.with({ [file]: formatSettings(settings) });
    expect(await readSettings(host)).toEqual(settings);
  });

  it.each([
    ['no JSON', '{'],
    ['a list', '[]'],
    ['an unknown key', '{"open": ["80/tcp"]}'],
    ['a port without its protocol', '{"allow": ["8443"]}'],
    ['words for nft', '{"allow": ["80/tcp accept; flush ruleset"]}'],
  ])('are refused where they are %s', async (_what, text) => {
    await expect(readSettings(TemporaryHost.with({ [file]: text }))).rejects.toMatchObject({
      code: 'FIREWALL_INVALID',
      hint: expect.stringContaining('was not changed'),
    });
  });
});

describe('what is open', () => {
  const open = (settings: Partial<FirewallSettings>, ...ofSite: string[]) =>
    openingsOf(siteWith(...ofSite), { allow: [], deny: [], ...settings }).map(formatOpening);

  it('is 80 and 443 by default', () => {
    expect(open({})).toEqual(['80/tcp', '443/tcp']);
  });

  it('is what the site and the owner open besides, each once and in order', () => {
    expect(open({ allow: ['6000:6010/udp', '8443/tcp'] }, '8443/tcp', '53/udp')).toEqual([
      ...['53/udp', '80/tcp', '443/tcp', '6000-6010/udp', '8443/tcp'],
    ]);
  });

  it('lacks what the owner closed', () => {
    expect(open({ deny: ['80/tcp', '8443/tcp'] }, '8443/tcp')).toEqual(['443/tcp']);
  });
});

type Wish = [string, 'allow' | 'deny', string, Partial<FirewallSettings>, FirewallSettings];
const wishes: readonly Wish[] = [
  ['opens a port', 'allow', '9000/tcp', {}, { allow: ['9000/tcp'], deny: [] }],
  [
    'opens it once',
    'allow',
    '9000/tcp',
    { allow: ['9000/tcp'] },
    { allow: ['9000/tcp'], deny: [] },
  ],
  ['closes it again', 'deny', '9000/tcp', { allow: ['9000/tcp'] }, { allow: [], deny: [] }],
  ['closes a default port', 'deny', '80/tcp', {}, { allow: [], deny: ['80/tcp'] }],
  ['closes what the site opens', 'deny', '8443/tcp', {}, { allow: [], deny: ['8443/tcp'] }],
  ['opens that again', 'allow', '80/tcp', { deny: ['80/tcp'] }, { allow: [], deny: [] }],
  [
    'knows both ways to write it',
    'deny',
    '5:7/udp',
    { allow: ['5-7/udp'] },
    { allow: [], deny: [] },
  ],
];

describe('a request of the administrator', () => {
  const wish = (kind: 'allow' | 'deny', text: string, before: Partial<FirewallSettings> = {}) => {
    const opening = parseOpening(text);
    if (!opening) throw new Error(text);
    const site = siteWith('8443/tcp');
    const settings = { allow: [], deny: [], ...before };
    return editSettings(settings, { kind, opening }, { site, ssh: [22, 2222] });
  };

  it('takes back what it opened as it was opened, also around a port of SSH', () => {
    expect(wish('deny', '20-30/tcp', { allow: ['20-30/tcp'] })).toEqual({ allow: [], deny: [] });
  });

  // It said "is closed", and the range stayed open.
  it.each([
    ['6005/tcp', '6000-6010/tcp'],
    ['5990-6003/tcp', '6000-6010/tcp'],
    ['8000-9000/tcp', '8443/tcp'],
  ])('does not close %s as a part, or the whole, of something else', (text, entry) => {
    expect(() => wish('deny', text, { allow: ['6000-6010/tcp'] })).toThrowError(
      expect.objectContaining({
        code: 'USAGE',
        message: expect.stringContaining(entry),
        hint: expect.stringContaining(`deny ${entry}`),
      }),
    );
  });

  it('may say that what is closed stays so', () => {
    expect(wish('deny', '6005/udp', { allow: ['6000-6010/tcp'] })).toEqual({
      allow: ['6000-6010/tcp'],
      deny: [],
    });
  });

  it('always takes an entry back, and tells what keeps its ports open', () => {
    const before = { allow: ['6000-6010/tcp', '6005/tcp'] };
    expect(wish('deny', '6005/tcp', before)).toEqual({ allow: ['6000-6010/tcp'], deny: [] });
    const opening = { first: 20, last: 30, protocol: 'tcp' } as const;
    const open = { ssh: [22], openings: [{ ...opening, first: 30, last: 31 }] };
    expect(stillOpen(opening, open).map(formatOpening)).toEqual(['22/tcp', '30-31/tcp']);
  });

  it.each(wishes)('%s', (_what, kind, text, before, after) => {
    expect(wish(kind, text, before)).toEqual(after);
  });

  it.each(['22/tcp', '2222/tcp', '1-65535/tcp'])('never closes SSH: %s', (text) => {
    expect(() => wish('deny', text)).toThrowError(
      expect.objectContaining({
        code: 'USAGE',
        hint: expect.stringContaining('Move sshd to another port'),
      }),
    );
  });

  it.each([undefined, '', 'ssh', '8443', '99999/tcp'])(
    'is refused where it is no port: %s',
    (text) => {
      expect(() => readOpening(text)).toThrowError(
        expect.objectContaining({ code: 'USAGE', hint: expect.stringContaining('8443/tcp') }),
      );
    },
  );
});
