import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { decodeUtf8 } from '#contract/text/bytes.ts';
import { sha256Hex } from '#contract/trust/digest.ts';
import { formatKeyId, publicKeyPem } from '#contract/trust/keys.ts';
import type { PinnedRelease } from '../../../../builder/bundle/released/pinned-release.ts';
import { smallestLimit } from '../../../../builder/deliver/user-data/providers.ts';
import { renderUserData } from '../../../../builder/deliver/user-data/render.ts';
import { readSite } from '../../../../builder/inputs/config/site.ts';
import { siteWith } from '../../../appliance/bootstrap/fresh-server.ts';
import { CertificateAuthority } from '../../../faulty-server/certificates.ts';
import { recoveryKey, releaseKey, secondKey } from '../../../simulator/keys.ts';
import { bothArchitectures, inputsWith, jsonFile, rendered, sourceUrl } from './rendered.ts';

const sourceOf = (path: string) =>
  readFileSync(
    fileURLToPath(new URL(`../../../../appliance/bootstrap/${path}`, import.meta.url)),
    'utf8',
  );
const exampleSite = await readSite(
  fileURLToPath(new URL('../../../../builder/inputs/config/example-site.yaml', import.meta.url)),
);

describe('user-data', () => {
  it('begins with #cloud-config', () => {
    expect(rendered().text.split('\n')[0]).toBe('#cloud-config');
  });

  it.each([
    ['in one file', undefined],
    ['in parts', 1_900_000_000],
  ])(
    'fits the budget for the example site with a relay, a provider and a bundle %s',
    (_, partSize) => {
      const keys = { release: [releaseKey.public], recovery: undefined };
      const site = {
        ...exampleSite,
        hosts: { ...exampleSite.hosts, relay: 'api.example.com' },
        providers: { openai: { base_url: 'https://api.openai.com/v1' } },
      };
      const releases = bothArchitectures.map((each) => ({ ...each, partSize }));
      const { bytes, warnings } = renderUserData(inputsWith({ site, keys, releases }));
      expect(bytes.length).toBeLessThanOrEqual(smallestLimit('cloud-config'));
      expect(warnings).toEqual([]);
    },
  );

  it('contains the size of the parts of each bundle in parts, and nothing for one file', () => {
    const [amd64, arm64] = bothArchitectures;
    if (!amd64 || !arm64) throw new Error('two architectures are needed');
    const settings = (releases: readonly PinnedRelease[]) =>
      jsonFile(rendered({ releases }), '/etc/landfall/boot.json');
    const parts = { amd64: 1_900_000_000 };
    expect(settings([{ ...amd64, partSize: parts.amd64 }, arm64])).toMatchObject({ parts });
    expect(settings([amd64, arm64])).not.toHaveProperty('parts');
  });

  const commentOf = ({ text }: { text: string }) =>
    text
      .slice(0, text.indexOf('\nlocale:'))
      .split('\n')
      .filter((line) => line.startsWith('# '));

  it('describes what happens to the server, how to follow and how to stop', () => {
    const comment = commentOf(rendered());
    expect(comment[0]).toContain('landfall 1.2.0: paste this whole file as the user-data');
    expect(comment.join('\n')).toMatch(
      /verifies it and sets up your account, .*SSH .*\n.* Docker /,
    );
    expect(comment).toContain('# Follow: journalctl -fu landfall-boot');
    expect(comment).toContain('# Stop for good: systemctl disable --now landfall-boot');
  });

  it('lists the source and the SHA-256 of each embedded script, and of no other', () => {
    const comment = commentOf(rendered());
    expect(comment.join('\n')).toContain('Source: appliance/bootstrap of Landfall');
    const { files } = rendered();
    const named = comment.flatMap((line) => /^# +(\w{64}) {2}(\S+)$/.exec(line)?.slice(1) ?? []);
    const carried = [...files]
      .filter(([path]) => /\/boot\/|\.service$/.test(path))
      .flatMap(([path, content]) => [sha256Hex(content), path.split('/').at(-1)]);
    expect(named).toEqual(carried);
    expect(carried).toHaveLength(8);
  });

  it('lists the trusted keys', () => {
    const comment = commentOf(rendered());
    const keyIds = [releaseKey, secondKey, recoveryKey].map((key) => formatKeyId(key.public.id));
    for (const id of keyIds) expect(comment.join('\n')).toContain(id);
    expect(comment).toContain('# It contains no secret.');
  });

  it('lets the administrator log in to a server that waits for its bundle, and starts nothing', () => {
    const keys = [
      'ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIGEk 我的笔记本',
      'sk-ssh-ed25519@openssh.com AAAA',
    ];
    const site = siteWith({ release: 'push', admin: { ssh_keys: keys } });
    const waiting = rendered({ site });
    expect(waiting.config).toMatchObject({
      ssh_authorized_keys: [
        'ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIGEk',
        'sk-ssh-ed25519@openssh.com AAAA',
      ],
    });
    expect(waiting.config).not.toHaveProperty('runcmd');
    expect(jsonFile(waiting, '/etc/landfall/boot.json')).toMatchObject({ sources: [] });
    expect(waiting.files.get('/etc/issue.d/landfall.issue')).toContain('landfall push <user>@\\4');
    expect(commentOf(waiting).join('\n')).toContain('waits until you send this release');
    expect(rendered().text).not.toMatch(/ssh_authorized_keys|issue\.d/);
  });

  it('adds the CA of the site to user-data for cloud-init, and changes nothing else', () => {
    const { cert: ca } = new CertificateAuthority();
    const { config, files } = rendered({ site: siteWith({ release: [sourceUrl], ca }) });
    expect(config.ca_certs).toEqual({ trusted: [`${ca.trim()}\n`] });
    expect(rendered().text).not.toContain('ca_certs');
    const scripts = (all: ReadonlyMap<string, string>) =>
      [...all].filter(([path]) => path.includes('/boot/'));
    expect(scripts(files)).toEqual(scripts(rendered().files));
  });

  it('adds the DNS servers of the site to user-data for the first download, and nothing else', () => {
    const dns = { nameserver: ['9.9.9.9'] };
    const { config, files } = rendered({ site: siteWith({ release: [sourceUrl], dns }) });
    expect(files.get('/etc/systemd/resolved.conf.d/zz-landfall-dns.conf')).toContain('DNS=9.9.9.9');
    const boot = 'systemctl enable --now --no-block landfall-boot.service';
    expect(config.runcmd).toEqual(['systemctl try-restart systemd-resolved', boot]);
    expect(rendered().config.runcmd).toEqual([boot]);
    expect(rendered().text).not.toContain('resolved');
  });

  it('contains the scripts verbatim', () => {
    const { text, files } = rendered();
    for (const name of ['bootstrap', 'unpack.py', 'fetch.py']) {
      expect(files.get(`/opt/landfall/boot/${name}`)).toBe(sourceOf(name));
    }
    expect(files.get('/etc/systemd/system/landfall-boot.service')).toBe(
      sourceOf('landfall-boot.service'),
    );
    expect(text).toContain('\n  #!/bin/sh\n');
  });

  it('contains each key in PEM in a separate file', () => {
    const { files } = rendered();
    expect(files.get('/etc/landfall/keys/release-1.pem')).toBe(publicKeyPem(releaseKey.public));
    expect(files.get('/etc/landfall/keys/release-2.pem')).toBe(publicKeyPem(secondKey.public));
    expect(files.get('/etc/landfall/keys/recovery.pem')).toBe(publicKeyPem(recoveryKey.public));
  });

  it('pins the manifest of each architecture', () => {
    expect(jsonFile(rendered(), '/etc/landfall/boot.json')).toEqual({
      product: 'landfall',
      version: '1.2.0',
      manifests: { amd64: 'a'.repeat(64), arm64: 'b'.repeat(64) },
      sources: [{ url: sourceUrl }],
    });
  });

  it('may be for one architecture', () => {
    const one = rendered({ releases: bothArchitectures.slice(1) });
    expect(jsonFile(one, '/etc/landfall/boot.json')).toMatchObject({
      manifests: { arm64: 'b'.repeat(64) },
    });
    expect(one.files.get('/etc/landfall/boot.json')).not.toContain('amd64');
  });

  it('restricts files with settings to root', () => {
    const { permissions } = rendered();
    expect(permissions.get('/etc/landfall/site.json')).toBe('0600');
    expect(permissions.get('/etc/landfall/boot.json')).toBe('0600');
  });

  it('starts the unit without waiting for it', () => {
    expect(rendered().config).toEqual({
      locale: 'C.UTF-8',
      runcmd: ['systemctl enable --now --no-block landfall-boot.service'],
    });
  });

  it('renders the same user-data for the same inputs', () => {
    expect(rendered().text).toBe(rendered().text);
  });
});

describe('the download sources in user-data', () => {
  const sourcesOf = (fields: Record<string, unknown>) => {
    const boot = jsonFile(rendered({ site: siteWith(fields) }), '/etc/landfall/boot.json');
    return (boot as { sources: unknown }).sources;
  };

  it('end with a slash', () => {
    expect(sourcesOf({ release: ['https://a.example/landfall'] })).toEqual([
      { url: 'https://a.example/landfall/' },
    ]);
  });

  it('use the proxy of the route, except for hosts in no_proxy', () => {
    const route = {
      mode: 'http-proxy',
      url: 'http://10.0.0.2:7890',
      no_proxy: ['10.0.0.0/8', '.near.example'],
    };
    const release = ['https://far.example/', 'http://10.1.2.3/', 'https://a.near.example/'];
    expect(sourcesOf({ release, route })).toEqual([
      { url: 'https://far.example/', proxy: 'http://10.0.0.2:7890' },
      { url: 'http://10.1.2.3/' },
      { url: 'https://a.near.example/' },
    ]);
  });

  it.each([
    ['http-proxy', 'http://10.0.0.2', { proxy: 'http://10.0.0.2:80' }],
    ['http-proxy', 'http://me:p%3Ass@10.0.0.2:80/', { proxy: 'http://me:p%3Ass@10.0.0.2:80' }],
    ['socks5', 'socks5h://me:x@10.0.0.2', { socks: 'socks5h://me:x@10.0.0.2:1080' }],
    ['socks5', 'socks5://far.example:7891', { socks: 'socks5://far.example:7891' }],
  ])(
    'contain the port of the proxy, because python3 has another default: %s %s',
    (mode, url, way) => {
      const release = ['https://a.example/'];
      expect(sourcesOf({ release, route: { mode, url } })).toEqual([{ url: release[0], ...way }]);
    },
  );

  it('include socks5.py only with a SOCKS5 proxy', () => {
    const socks = siteWith({
      release: [sourceUrl],
      route: { mode: 'socks5', url: 'socks5h://10.0.0.2:1080' },
    });
    const path = '/opt/landfall/boot/socks5.py';
    expect(rendered({ site: socks }).files.get(path)).toBe(sourceOf('socks5.py'));
    expect(rendered().files.has(path)).toBe(false);
  });
});

describe("the proxy's password", () => {
  const site = siteWith({
    release: [sourceUrl],
    route: { mode: 'http-proxy', url: 'http://me:s3cret@10.0.0.2:7890' },
  });

  it('mentions the proxy password in a comment and a warning, without printing it', () => {
    const { bytes, warnings } = renderUserData(inputsWith({ site }));
    expect(decodeUtf8(bytes)).toContain('# It contains the password of your proxy');
    expect(decodeUtf8(bytes)).not.toContain('no secret');
    expect(warnings.join()).toContain('the proxy password');
    expect(warnings.join()).not.toContain('s3cret');
  });
});

describe('bundles of different releases', () => {
  const [amd64, arm64] = bothArchitectures;
  if (!amd64 || !arm64) throw new Error('expected two architectures');
  const withChange = (change: object) => [
    amd64,
    { ...arm64, release: { ...arm64.release, ...change } },
  ];

  it.each([
    ['another version', { version: '1.3.0' }, '1.2.0 for amd64, 1.3.0 for arm64'],
    ['another product', { product: 'other' }, 'landfall for amd64, other for arm64'],
    [
      'other keys',
      { keys: { release: [releaseKey.public.spki], recovery: null } },
      'different keys',
    ],
    [
      'the same architecture',
      { arch: 'amd64' },
      'more than one bundle per architecture: amd64, amd64',
    ],
  ])('rejects bundles of different releases: %s', (_what, change, message) => {
    expect(() => rendered({ releases: withChange(change) })).toThrow(
      expect.objectContaining({
        code: 'USER_DATA_MISMATCH',
        problems: [{ message: expect.stringContaining(message) }],
      }),
    );
  });

  it('accepts bundles that differ only in the order of keys', () => {
    const { release, recovery } = arm64.release.keys;
    const keys = { release: release.toReversed(), recovery };
    expect(() => rendered({ releases: withChange({ keys }) })).not.toThrow();
  });

  it('rejects an empty list of bundles', () => {
    expect(() => rendered({ releases: [] })).toThrow(expect.objectContaining({ code: 'USAGE' }));
  });
});
