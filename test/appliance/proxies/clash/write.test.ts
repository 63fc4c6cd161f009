import { createRequire } from 'node:module';
import { Ajv, type ErrorObject } from 'ajv';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { renderMihomo } from '#proxies/clash/write.ts';
import { readProxies } from '#proxies/subscription/read.ts';
import { fuzzRuns } from '../../../simulator/fuzz.ts';
import { settingsArbitrary } from '../settings-arbitrary.ts';

const schema = createRequire(import.meta.url)('meta-json-schema/schemas/meta-json-schema.json');
/** The schema has keywords of editors, which Ajv does not know. */
const validate = new Ajv({ strict: false, logger: false, allErrors: false }).compile(schema);

function errorsOf(text: string): ErrorObject[] {
  validate(parse(text));
  return validate.errors ?? [];
}

const link = 'ss://YWVzLTI1Ni1nY206cGFzcw@hk.example:8388#HK';

describe('the configuration for mihomo', () => {
  it('has the fields of SPEC 2.1 with their defaults, and a TUN interface', () => {
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

  it('is valid for the published schema, which finds a wrong value', () => {
    const { settings } = readProxies(Buffer.from(link), { file: 'links' });
    const text = renderMihomo(settings);
    expect(errorsOf(text)).toEqual([]);
    expect(errorsOf(text.replace('mode: "rule"', 'mode: "rules"'))).not.toEqual([]);
    expect(errorsOf(text.replace('port: 8388', 'port: 88388'))).not.toEqual([]);
  });

  it('is valid for all settings that the model accepts', () => {
    fc.assert(
      fc.property(settingsArbitrary, (settings) => {
        expect(errorsOf(renderMihomo(settings))).toEqual([]);
      }),
      { numRuns: fuzzRuns(100) },
    );
  });
});
