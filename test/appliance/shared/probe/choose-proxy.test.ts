import { describe, expect, it, vi } from 'vitest';
import { proxyChooser } from '../../../../appliance/shared/probe/choose-proxy.ts';

const url = new URL('https://api.openai.com/v1/models');
const choice = { option: undefined, route: {}, env: {}, askPassword: undefined };

describe('the proxy of a probe', () => {
  it('comes from the proxy variables, with their exemptions', async () => {
    const route = { HTTPS_PROXY: 'http://10.0.0.2:7890', NO_PROXY: 'deepseek.com' };
    const proxyFor = await proxyChooser({ ...choice, route });
    expect(proxyFor(url)?.url.host).toBe('10.0.0.2:7890');
    expect(proxyFor(new URL('https://api.deepseek.com'))).toBeUndefined();
  });

  it.each([
    ['http://a.test:1', 'http'],
    ['https://a.test:1', 'http'],
    ['socks5://a.test:1', 'socks5'],
    ['socks5h://a.test:1', 'socks5'],
    ['a.test:1', 'http'],
  ])('comes from the option: %s', async (option, kind) => {
    expect((await proxyChooser({ ...choice, option }))(url)).toMatchObject({ kind });
  });

  it('rejects a password in the proxy option, and prints an error without it', async () => {
    for (const option of ['http://me:s3cret@a.test:1', 'me:s3cret@a.test:1']) {
      await expect(proxyChooser({ ...choice, option })).rejects.toMatchObject({
        code: 'USAGE',
        message: expect.not.stringContaining('s3cret'),
      });
    }
  });

  it('gets its password from the environment, else from the prompt', async () => {
    const option = 'socks5://me@a.test:1';
    const askPassword = vi.fn(async () => 'p@ss:w%rd/');
    const asked = await proxyChooser({ ...choice, option, askPassword });
    expect(asked(url)).toMatchObject({ username: 'me', password: 'p@ss:w%rd/' });
    const env = { LANDFALL_PROXY_PASSWORD: 'other' };
    const known = await proxyChooser({ ...choice, option, env, askPassword });
    expect(known(url)).toMatchObject({ password: 'other' });
    expect(askPassword).toHaveBeenCalledOnce();
  });

  it('rejects the proxy of a probe without its password', async () => {
    await expect(proxyChooser({ ...choice, option: 'http://me@a.test:1' })).rejects.toMatchObject({
      code: 'USAGE',
      hint: expect.stringContaining('LANDFALL_PROXY_PASSWORD'),
    });
  });
});
