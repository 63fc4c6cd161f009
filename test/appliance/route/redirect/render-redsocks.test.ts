import { describe, expect, it } from 'vitest';
import { renderRedsocks } from '../../../../appliance/route/redirect/render-redsocks.ts';

const locked = 'socks5h://me:p%22%5Css%3B@192.0.2.2';

describe('the settings of redsocks', () => {
  it('name an HTTP proxy, without a login', () => {
    const text = renderRedsocks('http://192.0.2.2');
    expect(text).toContain('\tip = 192.0.2.2;\n\tport = 80;\n\ttype = http-connect;\n}');
    expect(text).not.toContain('login');
  });

  it('name a SOCKS5 proxy with its decoded login', () => {
    const text = renderRedsocks(locked);
    expect(text).toContain('\tport = 1080;\n\ttype = socks5;\n');
    expect(text).toContain('\tlogin = "me";\n\tpassword = "p\\"\\\\ss;";\n');
  });

  it('listen on loopback only', () => {
    expect(renderRedsocks(locked)).toContain('\tlocal_ip = 127.0.0.1;\n\tlocal_port = 7892;\n');
  });

  it.each(['http://proxy.example:80', 'http://[2001:db8::1]:80', 'https://192.0.2.2:443'])(
    'rejects %s',
    (proxy) => {
      expect(() => renderRedsocks(proxy)).toThrow(
        expect.objectContaining({ code: 'CONFIG_INVALID' }),
      );
    },
  );
});
