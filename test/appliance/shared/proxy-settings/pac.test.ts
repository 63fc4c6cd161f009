import { runInNewContext } from 'node:vm';
import { describe, expect, it } from 'vitest';
import { pacFile } from '#proxy-settings/pac.ts';

/** Returns the answer of a PAC file, without any helper of browsers. */
function answer(pac: string, url: string): string {
  const { hostname } = new URL(url);
  return runInNewContext(`${pac}; FindProxyForURL(url, host)`, { url, host: hostname });
}

const pac = pacFile('http://me:secret@proxy.example', [
  ...['corp.example', '*.wild.example', '.dot.example', '192.0.2.7', '10.9.0.0/16', 'a.example:81'],
]);

describe('a PAC file', () => {
  it('names the proxy with its port and without its login', () => {
    expect(answer(pac, 'https://api.openai.com/v1')).toBe('PROXY proxy.example:80');
    expect(pac).not.toMatch(/secret|me:/);
  });

  it.each([
    ['socks5h://10.0.0.2', 'SOCKS5 10.0.0.2:1080'],
    ['https://proxy.example', 'HTTPS proxy.example:443'],
  ])('knows the kind of %s', (url, expected) => {
    expect(answer(pacFile(url, []), 'https://api.openai.com/')).toBe(expected);
  });

  it.each([
    ...['http://localhost/', 'http://printer/', 'http://printer.local/', 'http://127.0.0.1:8090/'],
    ...['http://10.1.2.3/', 'http://172.31.0.1/', 'http://192.168.1.1/', 'http://[::1]/'],
    ...['http://[fd00::1]/', 'http://[fe80::1]/', 'http://192.0.2.7/'],
    ...['https://corp.example/', 'https://git.corp.example/', 'https://a.wild.example/'],
    'https://a.dot.example/',
  ])('sends %s directly', (url) => {
    expect(answer(pac, url)).toBe('DIRECT');
  });

  it.each([
    ...['https://notcorp.example/', 'http://172.32.0.1/', 'https://10.1.2.3.example/'],
    ...['https://fd.example/', 'https://a.example:81/', 'https://11.0.0.1/'],
  ])('sends %s to the proxy', (url) => {
    expect(answer(pac, url)).toBe('PROXY proxy.example:80');
  });

  it('writes a PAC file in ES5, which old programs require', () => {
    expect(pac).not.toMatch(/\b(?:let|const|=>|endsWith|includes)\b|`/);
  });
});
