import { describe, expect, it } from 'vitest';
import { proxyVariables } from '#proxy-settings/variables.ts';

const noProxy = 'localhost';

describe('the variables of a shell', () => {
  it('sets the shell variables of SPEC 2.2, in both cases', () => {
    const proxy = 'http://me:p%3Ass@10.0.0.2:7890';
    expect(proxyVariables({ url: proxy, noProxy })).toEqual({
      ...{ http_proxy: proxy, HTTP_PROXY: proxy, https_proxy: proxy, HTTPS_PROXY: proxy },
      ...{ no_proxy: noProxy, NO_PROXY: noProxy },
    });
  });

  it('sets all_proxy for SOCKS5, which resolves names at the proxy', () => {
    const proxy = 'socks5h://10.0.0.2:1080';
    expect(proxyVariables({ url: 'socks5://10.0.0.2', noProxy })).toEqual({
      ...{ all_proxy: proxy, ALL_PROXY: proxy, no_proxy: noProxy, NO_PROXY: noProxy },
    });
  });
});
