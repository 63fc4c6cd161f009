import { describe, expect, it } from 'vitest';
import { sshProxyOf } from '../../../../builder/deliver/ssh/proxy-option.ts';

describe('the proxy for ssh', () => {
  const variable = { LANDFALL_SSH_PROXY: 'http://me:secret@127.0.0.1:1' };

  it('uses the proxy for ssh from the option, or from the variable', () => {
    expect(sshProxyOf(undefined, {})).toBeUndefined();
    expect(sshProxyOf(undefined, variable)).toBe(variable.LANDFALL_SSH_PROXY);
    expect(sshProxyOf('socks5h://127.0.0.1:1080', variable)).toBe('socks5h://127.0.0.1:1080');
  });

  it('rejects an ssh proxy option with a password, or one that is not a proxy', () => {
    const code = (option: string) => {
      try {
        sshProxyOf(option, {});
        return 'none';
      } catch (error) {
        return (error as { code: string }).code;
      }
    };
    expect(code(variable.LANDFALL_SSH_PROXY)).toBe('USAGE');
    expect(code('ftp://127.0.0.1')).toBe('NETWORK_PROXY');
  });
});
