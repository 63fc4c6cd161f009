import { describe, expect, it } from 'vitest';
import { parseSources } from './apt-sources.ts';

describe('apt sources in stanzas', () => {
  it('parses stanzas of apt sources with several suites, comments and continued lines', () => {
    const text = `Types: deb deb-src
# the archive
URIs: http://archive.example/debian
Suites: bookworm
 bookworm-updates
Components: main contrib

Types: deb
URIs: http://archive.example/security
Suites: bookworm-security
Components: main
`;
    expect(parseSources('debian.sources', text)).toEqual([
      {
        url: 'http://archive.example/debian',
        suites: ['bookworm', 'bookworm-updates'],
        components: ['main', 'contrib'],
      },
      {
        url: 'http://archive.example/security',
        suites: ['bookworm-security'],
        components: ['main'],
      },
    ]);
  });

  it('skips stanzas of apt sources that are disabled or for sources only', () => {
    const stanza = (more: string) =>
      `${more}\nURIs: http://a.example/\nSuites: x\nComponents: main\n`;
    expect(parseSources('a.sources', stanza('Types: deb-src'))).toEqual([]);
    expect(parseSources('a.sources', stanza('Types: deb\nEnabled: no'))).toEqual([]);
    expect(parseSources('a.sources', stanza('Types: deb\nEnabled: yes'))).toHaveLength(1);
  });
});

describe('apt sources in lines', () => {
  it('parses lines of apt sources with and without options', () => {
    const text = `# deb http://old.example/ x main
deb [signed-by=/k.gpg arch=amd64] http://a.example/debian trixie main contrib # ours
deb-src http://a.example/debian trixie main
deb http://b.example/debian trixie-updates main
`;
    expect(parseSources('sources.list', text)).toEqual([
      { url: 'http://a.example/debian', suites: ['trixie'], components: ['main', 'contrib'] },
      { url: 'http://b.example/debian', suites: ['trixie-updates'], components: ['main'] },
    ]);
  });

  it('returns no apt sources for an empty file', () => {
    expect(parseSources('sources.list', '')).toEqual([]);
  });
});
