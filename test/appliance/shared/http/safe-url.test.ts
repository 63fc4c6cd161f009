import { describe, expect, it } from 'vitest';
import { safeUrl, withoutUserinfo } from '#http/safe-url.ts';

const url = new URL('https://user:password@host.example:8443/path?X-Signature=secret#part');

describe('a URL', () => {
  it('shows a URL without user, password, query and fragment', () => {
    expect(safeUrl(url)).toBe('https://host.example:8443/path');
  });

  it('requests a URL without user and password, and leaves the argument unchanged', () => {
    expect(withoutUserinfo(url).href).toBe(
      'https://host.example:8443/path?X-Signature=secret#part',
    );
    expect(url.password).toBe('password');
  });
});
