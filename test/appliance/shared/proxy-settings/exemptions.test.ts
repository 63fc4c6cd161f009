import { describe, expect, it } from 'vitest';
import { isExempt } from '#http/no-proxy.ts';
import { noProxyText } from '#proxy-settings/exemptions.ts';

describe('the value of NO_PROXY', () => {
  it('has no spaces, which some programs do not support', () => {
    expect(noProxyText(['a.example', '10.9.0.0/16'])).not.toMatch(/\s/);
  });

  it('has a domain also with a leading dot, because Node and axios match exactly', () => {
    expect(noProxyText(['corp.example']).split(',')).toEqual(
      expect.arrayContaining(['corp.example', '.corp.example']),
    );
  });

  it('has a wildcard also as a suffix, because curl and Python do not support wildcards', () => {
    expect(noProxyText(['*.corp.example']).split(',')).toEqual(
      expect.arrayContaining(['*.corp.example', '.corp.example']),
    );
  });

  it.each(['192.0.2.7', '192.0.2.0/24', 'corp.example:8443', '.corp.example', 'intranet'])(
    'keeps %s as it is',
    (entry) => {
      const added = noProxyText([entry]).slice(noProxyText([]).length);
      expect(added).toBe(`,${entry}`);
    },
  );

  it('has the names of containers only for containers: .chat is a public domain', () => {
    expect(isExempt(new URL('https://site.chat/'), noProxyText([]))).toBe(false);
    expect(isExempt(new URL('http://chat/'), noProxyText([], ['chat']))).toBe(true);
  });
});
