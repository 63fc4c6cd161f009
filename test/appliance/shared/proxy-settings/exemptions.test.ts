import { describe, expect, it } from 'vitest';
import { isExempt } from '#http/no-proxy.ts';
import { noProxyText } from '#proxy-settings/variables.ts';

describe('the value of NO_PROXY', () => {
  it('joins NO_PROXY without spaces, which some programs do not support', () => {
    expect(noProxyText(['a.example', '10.9.0.0/16'])).not.toMatch(/\s/);
  });

  it('adds a domain with a leading dot to NO_PROXY, because Node and axios match exactly', () => {
    expect(noProxyText(['corp.example']).split(',')).toEqual(
      expect.arrayContaining(['corp.example', '.corp.example']),
    );
  });

  it('adds a wildcard to NO_PROXY also as a suffix, because curl and Python need a suffix', () => {
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

  it('lists the names of containers only for containers: .chat is a public domain', () => {
    expect(isExempt(new URL('https://site.chat/'), noProxyText([]))).toBe(false);
    expect(isExempt(new URL('http://chat/'), noProxyText([], ['chat']))).toBe(true);
  });
});
