import { describe, expect, it } from 'vitest';
import { meaningOf } from '../../../../builder/deliver/hosting/file-meanings.ts';
import { indexPage } from '../../../../builder/deliver/hosting/index-page.ts';

describe('the index page', () => {
  it('escapes names and links', () => {
    const file = { name: '<a b>&".txt', size: 1, sha256: '0'.repeat(64) };
    const page = indexPage('x <y>', [file]);
    expect(page).toContain('<a href="%3Ca%20b%3E%26%22.txt">&lt;a b&gt;&amp;&quot;.txt</a>');
    expect(page).toContain('<h1>x &lt;y&gt;</h1>');
    expect(page).not.toMatch(/<script|src=/);
  });
});

describe('the meaning of a file', () => {
  it.each([
    ['landfall-1.2.0-amd64.tar', 'Bundle'],
    ['landfall-1.2.0-amd64.tar.001', 'Part'],
    ['landfall-1.2.0-amd64.release.json', 'Manifest'],
    ['landfall-1.2.0-amd64.release.json.sig', 'openssl'],
    ['landfall-1.2.0.tgz', 'npm'],
    ['other', 'File of the release'],
  ])('returns the meaning of the release file %s', (name, text) => {
    expect(meaningOf(name)).toContain(text);
  });
});
