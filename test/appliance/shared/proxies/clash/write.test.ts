import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { renderMihomo } from '#proxies/clash/write.ts';
import { readProxies } from '#proxies/read-proxies.ts';

const link = 'ss://YWVzLTI1Ni1nY206cGFzcw@hk.example:8388#HK';

describe('the configuration for mihomo', () => {
  it('writes the fields of SPEC 2.1 for mihomo with their defaults, and a TUN interface', () => {
    const { settings } = readProxies(Buffer.from(link), { file: 'links' });
    expect(parse(renderMihomo(settings))).toMatchObject({
      ...{ port: 7890, 'socks-port': 7891, 'allow-lan': false, mode: 'rule', 'log-level': 'info' },
      tun: { enable: true, 'auto-route': true, 'dns-hijack': ['any:53', 'tcp://any:53'] },
      dns: { enable: true, nameserver: ['223.5.5.5', '1.1.1.1'] },
      proxies: [
        {
          ...{ name: 'HK', type: 'ss', server: 'hk.example', port: 8388 },
          ...{ cipher: 'aes-256-gcm', password: 'pass', udp: true },
        },
      ],
      'proxy-groups': [{ name: 'PROXY', type: 'select', proxies: ['HK'] }],
      rules: ['GEOIP,LAN,DIRECT,no-resolve', 'MATCH,PROXY'],
    });
  });

  it('puts every text in quotes', () => {
    const { settings } = readProxies(Buffer.from(link.replace('HK', '0123')), { file: 'links' });
    expect(renderMihomo(settings)).toContain('name: "0123"');
  });
});
