import { describe, expect, it } from 'vitest';
import { clientSettings, proxyDropInText } from '../../../appliance/runtime/proxy-settings.ts';

const variables = {
  HTTP_PROXY: 'http://10.0.0.2:7890',
  HTTPS_PROXY: 'http://10.0.0.2:7890',
  NO_PROXY: 'localhost,127.0.0.1',
};

describe("the engine's proxy", () => {
  it('is a drop-in of systemd with one line a variable', () => {
    expect(proxyDropInText(variables)).toBe(
      [
        '[Service]',
        'Environment="HTTP_PROXY=http://10.0.0.2:7890"',
        'Environment="HTTPS_PROXY=http://10.0.0.2:7890"',
        'Environment="NO_PROXY=localhost,127.0.0.1"',
        '',
      ].join('\n'),
    );
  });

  it('doubles percent signs, which systemd would expand in a password', () => {
    expect(proxyDropInText({ HTTP_PROXY: 'http://u:p%40s@h:1' })).toContain('u:p%%40s@h:1');
  });

  it('cannot be left by a quote', () => {
    expect(proxyDropInText({ X: 'a"b\\c' })).toContain('Environment="X=a\\"b\\\\c"');
  });
});

describe("the settings of docker's client", () => {
  const proxies = {
    default: {
      httpProxy: 'http://10.0.0.2:7890',
      httpsProxy: 'http://10.0.0.2:7890',
      noProxy: 'localhost,127.0.0.1',
    },
  };

  it('are where proxies.default belongs', () => {
    expect(JSON.parse(clientSettings(undefined, variables) ?? '')).toEqual({ proxies });
  });

  it('keep logins', () => {
    const auths = { 'registry.example.com': { auth: 'eA==' } };
    expect(JSON.parse(clientSettings(JSON.stringify({ auths }), variables) ?? '')).toEqual({
      auths,
      proxies,
    });
  });

  it('are left alone when they are not JSON', () => {
    expect(clientSettings('not json', variables)).toBeUndefined();
  });
});
