import { describe, expect, it } from 'vitest';
import { parse, stringify } from 'yaml';
import { renderMihomo } from '#proxies/clash/write.ts';
import { readProxies } from '#proxies/read-proxies.ts';
import { renderSingBox } from '#proxies/sing-box/write.ts';

/** The fields of the table, with the values that it uses. */
const table = {
  port: 7890,
  'socks-port': 7891,
  'allow-lan': true,
  mode: 'Rule',
  'log-level': 'info',
  proxies: [
    {
      name: 'server',
      type: 'ss',
      server: 'proxy.example.com',
      port: 8388,
      cipher: 'aes-256-gcm',
      password: 'S3cr3t',
    },
  ],
  'proxy-groups': [{ name: 'Proxy', type: 'select', proxies: ['server'] }],
  rules: ['MATCH,Proxy'],
  dns: { enable: true, nameserver: ['192.0.2.53', '198.51.100.53'] },
};

const read = (value: object) => readProxies(Buffer.from(stringify(value)), { file: 'config.yaml' });
const mihomoOf = (value: object) => parse(renderMihomo(read(value).settings));
const singBoxOf = (value: object) => JSON.parse(renderSingBox(read(value).settings));

describe("the specification's configuration of a proxy client (SPEC 2.1)", () => {
  it('imports the configuration of a proxy client with all fields', () => {
    const { settings, report } = read(table);
    expect([report.count, report.ignored.count]).toEqual([0, 0]);
    expect(Object.keys(settings).sort()).toEqual(Object.keys(table).sort());
  });

  it('exports the proxy client for mihomo with all fields and values', () => {
    expect(mihomoOf(table)).toMatchObject({ ...table, mode: 'rule' });
  });

  it('adds only the fields of the TUN interface to the export for mihomo', () => {
    const { tun, ...rest } = mihomoOf(table);
    expect(tun).toMatchObject({ enable: true });
    expect(Object.keys(rest).sort()).toEqual(Object.keys(table).sort());
  });

  it('exports the proxy client for sing-box with all fields and values', () => {
    const config = singBoxOf(table);
    expect(config.inbounds).toMatchObject([
      { type: 'tun' },
      { type: 'http', listen: '::', listen_port: 7890 },
      { type: 'socks', listen: '::', listen_port: 7891 },
    ]);
    expect(config.log).toEqual({ level: 'info' });
    expect(config.experimental.clash_api.default_mode).toBe('rule');
    expect(config.outbounds).toEqual(
      expect.arrayContaining([
        { type: 'selector', tag: 'Proxy', outbounds: ['server'] },
        {
          type: 'shadowsocks',
          tag: 'server',
          server: 'proxy.example.com',
          server_port: 8388,
          method: 'aes-256-gcm',
          password: 'S3cr3t',
          network: 'tcp',
        },
      ]),
    );
    expect(config.route.final).toBe('Proxy');
    expect(config.dns.servers).toMatchObject([
      { type: 'udp', server: '192.0.2.53' },
      { type: 'udp', server: '198.51.100.53' },
      { type: 'local' },
    ]);
    expect(config.dns.final).toBe('nameserver-1');
  });

  it.each([
    ['port', 7890],
    ['socks-port', 7891],
    ['mode', 'rule'],
    ['log-level', 'info'],
    // The table has no default. Access from other hosts is off unless the file turns it on.
    ['allow-lan', false],
  ])('sets the specified default of %s', (field, value) => {
    expect(mihomoOf({ proxies: table.proxies })[field]).toBe(value);
  });

  it('adds a group of all proxies, a rule for everything else, and DNS, if the file has none', () => {
    const config = mihomoOf({ proxies: table.proxies });
    expect(config['proxy-groups']).toEqual([
      { name: 'PROXY', type: 'select', proxies: ['server'] },
    ]);
    expect(config.rules).toEqual(['GEOIP,LAN,DIRECT,no-resolve', 'MATCH,PROXY']);
    expect(config.dns).toMatchObject({ enable: true, nameserver: ['223.5.5.5', '1.1.1.1'] });
  });

  it.each([
    [{ port: 1080, 'socks-port': 1081, 'allow-lan': false, mode: 'global', 'log-level': 'error' }],
    [{ port: 1, 'socks-port': 65_535, 'allow-lan': true, mode: 'direct', 'log-level': 'silent' }],
  ])('exports other values too: %j', (values) => {
    expect(mihomoOf({ ...table, ...values })).toMatchObject(values);
    expect(
      readProxies(Buffer.from(renderSingBox(read({ ...table, ...values }).settings)), {
        file: 'config.json',
      }).settings,
    ).toMatchObject(values);
  });

  it.each([
    ['port', 7891, 'socks-port', 7890],
    ['socks-port', 7890, 'port', 7891],
  ])('chooses another default port if %s takes %i', (field, value, other, expected) => {
    expect(mihomoOf({ proxies: table.proxies, [field]: value })).toMatchObject({
      [field]: value,
      [other]: expected,
    });
  });
});
