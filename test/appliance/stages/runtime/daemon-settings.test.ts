import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { LandfallError } from '#contract/errors.ts';
import { overlap } from '../../../../appliance/server/host/overlap.ts';
import {
  chooseAddressPool,
  daemonSettings,
} from '../../../../appliance/stages/runtime/daemon-settings.ts';

const facts = { site: { mirrors: { registries: {} } }, routes: ['default'], dockerVersion: 26 };

function settings(
  current: string | undefined,
  more: Partial<Parameters<typeof daemonSettings>[1]> = {},
) {
  return JSON.parse(textOf(current, more));
}

function textOf(current: string | undefined, more: object = {}): string {
  return daemonSettings(current, { ...facts, ...more }).text;
}

function ownLists(current: string | undefined, more: object) {
  return daemonSettings(current, { ...facts, ...more }).own;
}

describe('daemon.json on a fresh server', () => {
  it('rotates logs, with numbers as strings, as dockerd requires', () => {
    expect(settings(undefined)).toMatchObject({
      'log-driver': 'json-file',
      'log-opts': { 'max-size': '10m', 'max-file': '3' },
    });
  });

  it('publishes ports without an address on loopback', () => {
    expect(settings(undefined).ip).toBe('127.0.0.1');
  });

  it('keeps containers running while Docker restarts', () => {
    expect(settings(undefined)['live-restore']).toBe(true);
  });

  it('selects an address range for containers that overlaps no route', () => {
    expect(settings(undefined, { routes: ['10.0.0.0/8'] })['default-address-pools']).toEqual([
      { base: '172.30.0.0/16', size: 24 },
    ]);
  });

  it('puts the mirror of Docker Hub first', () => {
    const mirrors = {
      registries: { 'docker.io': 'https://m.example', 'ghcr.io': 'https://g.example' },
    };
    expect(settings(undefined, { site: { mirrors } })['registry-mirrors']).toEqual([
      'https://m.example',
    ]);
  });

  it('never sets proxies.default, which dockerd rejects', () => {
    expect(textOf(undefined)).not.toContain('proxies');
  });
});

describe('the image store of a new Docker', () => {
  const store = 'containerd-snapshotter';

  it('keeps each layer once, also with Docker 29, whose default keeps it twice', () => {
    expect(settings(undefined, { dockerVersion: 29 }).features).toEqual({ [store]: false });
  });

  it('sets no image store for a version of Docker that has no other default', () => {
    expect(settings(undefined, { dockerVersion: 28 })).not.toHaveProperty('features');
    expect(settings(undefined, { dockerVersion: undefined })).not.toHaveProperty('features');
  });

  it('keeps the image store once Docker has started, because a change would hide its images', () => {
    const started = { dockerVersion: 29, hasStarted: true };
    expect(settings(undefined, started)).not.toHaveProperty('features');
    const current = JSON.stringify({ features: { [store]: false } });
    expect(settings(current, started).features).toEqual({ [store]: false });
  });

  it('keeps the image store that the administrator chose, next to other features', () => {
    const features = { [store]: true, buildkit: true };
    const current = JSON.stringify({ features });
    expect(settings(current, { dockerVersion: 29 }).features).toEqual(features);
  });
});

describe('the firewall backend of Docker 29', () => {
  it('chooses iptables, also if the administrator chose nftables, whose containers UFW would cut off', () => {
    const current = JSON.stringify({ 'firewall-backend': 'nftables' });
    expect(settings(current, { dockerVersion: 29 })).toMatchObject({
      'firewall-backend': 'iptables',
    });
  });

  it('sets none if the administrator chose none: versions before 29 reject the key', () => {
    expect(settings(undefined, { dockerVersion: 29 })).not.toHaveProperty('firewall-backend');
  });
});

describe('the IPv6 packet filter', () => {
  it.each([20, 23, 26])(
    'enables the IPv6 packet filter for Docker %i, where it is experimental',
    (engine) => {
      expect(settings(undefined, { dockerVersion: engine })).toMatchObject({
        ip6tables: true,
        experimental: true,
      });
    },
  );

  it.each([27, 29])(
    'omits the IPv6 packet filter for Docker %i, which enables it by default',
    (engine) => {
      expect(settings(undefined, { dockerVersion: engine })).not.toHaveProperty('experimental');
    },
  );

  it('omits the IPv6 packet filter before the version of Docker is known', () => {
    expect(settings(undefined, { dockerVersion: undefined })).not.toHaveProperty('ip6tables');
  });
});

describe('an existing daemon.json', () => {
  it('keeps other settings', () => {
    expect(settings('{"data-root": "/big/docker"}')).toMatchObject({ 'data-root': '/big/docker' });
  });

  it('keeps the chosen range, although its own networks overlap it', () => {
    const pools = [{ base: '10.213.0.0/16', size: 24 }];
    const current = JSON.stringify({ 'default-address-pools': pools });
    expect(settings(current, { routes: ['10.213.0.0/24'] })['default-address-pools']).toEqual(
      pools,
    );
  });

  it('does not change its own output', () => {
    const once = textOf(undefined);
    expect(textOf(once)).toBe(once);
  });

  it.each([
    ['not JSON', '{'],
    ['a list', '[]'],
    ['a file with proxies', '{"proxies": {"default": {"httpProxy": "http://x"}}}'],
    ['a file with numbers instead of strings', '{"log-opts": {"max-file": 3}}'],
  ])('rejects an existing daemon.json if it is %s', (_, current) => {
    const make = () => textOf(current);
    expect(make).toThrow(LandfallError);
    expect(make).toThrow(expect.objectContaining({ code: 'DOCKER_SETTINGS' }));
  });
});

describe('the mirrors of a site in daemon.json', () => {
  const given = (registries: Record<string, string | string[]>) => ({
    site: { mirrors: { registries } },
  });

  // Docker before 25 does not start with a path in a mirror URL. Debian 12 has version 20.10.
  it.each([
    'https://m.example/hub',
    'https://m.example/hub/',
    'https://m.example/?token=x',
    'https://m.example/#x',
    'https://me@m.example',
  ])('exclude those that Docker rejects: %s', (mirror) => {
    expect(settings(undefined, given({ 'docker.io': mirror }))).not.toHaveProperty(
      'registry-mirrors',
    );
  });

  it('include every mirror of Docker Hub in the order of the site', () => {
    const mirrors = ['https://one.example', 'https://two.example/hub', 'https://three.example'];
    expect(settings(undefined, given({ 'docker.io': mirrors }))['registry-mirrors']).toEqual([
      'https://one.example',
      'https://three.example',
    ]);
  });

  it('include one with a trailing slash', () => {
    expect(
      settings(undefined, given({ 'docker.io': 'https://m.example/' }))['registry-mirrors'],
    ).toEqual(['https://m.example/']);
  });

  it('adds the mirrors with plain HTTP as insecure registries', () => {
    const mirrors = {
      'docker.io': 'http://10.0.0.3:5000/hub',
      'ghcr.io': 'http://10.0.0.3:5000/ghcr',
      'quay.io': 'http://lan.example/',
      'gcr.io': 'https://m.example',
      'lscr.io': 'http://bare/',
    };
    expect(settings(undefined, given(mirrors))['insecure-registries']).toEqual([
      '10.0.0.3:5000',
      'lan.example',
      'bare:80',
    ]);
  });

  const mirror = 'http://10.0.0.3:5000';
  const site = given({ 'docker.io': mirror });
  const lists = { 'registry-mirrors': [mirror], 'insecure-registries': ['10.0.0.3:5000'], dns: [] };

  it('precede the mirrors of the user', () => {
    const theirs = JSON.stringify({ 'registry-mirrors': ['https://own.example'] });
    expect(settings(theirs, site)).toMatchObject({
      'registry-mirrors': [mirror, 'https://own.example'],
      'insecure-registries': ['10.0.0.3:5000'],
    });
  });

  // Regression: a mirror that was removed from the site stayed in the file.
  it('removes the mirrors with the site that set them, without changing settings of the user', () => {
    const theirs = { 'registry-mirrors': ['https://own.example'] };
    const before = textOf(JSON.stringify(theirs), site);
    const after = settings(before, { earlier: ownLists(JSON.stringify(theirs), site) });
    expect(after).toMatchObject(theirs);
    expect(after).not.toHaveProperty('insecure-registries');
  });

  it('leave no empty lists', () => {
    const before = textOf(undefined, site);
    const earlier = ownLists(undefined, site);
    expect(earlier).toEqual(lists);
    expect(textOf(before, { earlier })).toBe(textOf(undefined));
  });

  it('treats mirrors that existed before as settings of the user', () => {
    const own = ownLists(JSON.stringify(lists), site);
    expect(own).toEqual({ 'registry-mirrors': [], 'insecure-registries': [], dns: [] });
  });

  it('treats its own mirrors as settings of Landfall in the second run', () => {
    const before = textOf(undefined, site);
    const earlier = ownLists(undefined, site);
    expect(ownLists(before, { ...site, earlier })).toEqual(lists);
    expect(textOf(before, { ...site, earlier })).toBe(before);
  });
});

describe('the DNS servers of a site in daemon.json', () => {
  const dns = { nameserver: ['9.9.9.9#dns.quad9.net', '1.1.1.1'], search: [], tls: true };
  const site = { site: { mirrors: { registries: {} }, dns } };

  it('precede those of the user, without the names of certificates', () => {
    expect(settings(undefined, site).dns).toEqual(['9.9.9.9', '1.1.1.1']);
    expect(settings('{"dns":["10.0.0.2"]}', site).dns).toEqual(['9.9.9.9', '1.1.1.1', '10.0.0.2']);
  });

  it('removes the DNS servers with the site, without changing those of the user', () => {
    const theirs = '{"dns":["1.1.1.1"]}';
    const before = textOf(theirs, site);
    const after = settings(before, { earlier: ownLists(theirs, site) });
    expect(after.dns).toEqual(['1.1.1.1']);
    const own = ownLists(undefined, site);
    expect(settings(textOf(undefined, site), { earlier: own })).not.toHaveProperty('dns');
  });
});

describe('the address range for containers', () => {
  it('chooses a range that providers rarely use, split into networks of 254 addresses', () => {
    expect(chooseAddressPool(['default', '203.0.113.0/24'])).toEqual({
      base: '10.213.0.0/16',
      size: 24,
    });
  });

  it('does not overlap a network of the server', () => {
    expect(chooseAddressPool(['10.0.0.0/8'])?.base).toBe('172.30.0.0/16');
    expect(chooseAddressPool(['10.213.7.0/24'])?.base).toBe('172.30.0.0/16');
    expect(chooseAddressPool(['10.213.7.9'])?.base).toBe('172.30.0.0/16');
  });

  it('does not overlap any route', () => {
    const octet = fc.integer({ min: 0, max: 255 });
    const range = fc
      .tuple(fc.constantFrom(10, 172, 192, 203), octet, octet, fc.integer({ min: 8, max: 32 }))
      .map(([a, b, c, prefix]) => `${a}.${b}.${c}.0/${prefix}`);
    fc.assert(
      fc.property(fc.array(range, { maxLength: 12 }), (routes) => {
        try {
          const { base } = chooseAddressPool(routes);
          expect(routes.filter((route) => overlap(base, route))).toEqual([]);
        } catch (error) {
          expect(error).toBeInstanceOf(LandfallError);
        }
      }),
    );
  });

  it('fails if every range is used', () => {
    const routes = ['10.0.0.0/8', '172.16.0.0/12', '192.168.0.0/16'];
    expect(() => chooseAddressPool(routes)).toThrow('every address range');
  });
});

describe('two ranges', () => {
  it('overlap if one contains the other, in either order', () => {
    expect(overlap('10.0.0.0/8', '10.213.0.0/16')).toBe(true);
    expect(overlap('10.213.0.0/16', '10.0.0.0/8')).toBe(true);
    expect(overlap('10.213.0.0/16', '10.214.0.0/16')).toBe(false);
  });

  it('do not overlap if one is not an IPv4 range', () => {
    expect(overlap('10.213.0.0/16', 'default')).toBe(false);
    expect(overlap('10.213.0.0/16', 'fd00::/64')).toBe(false);
  });
});
