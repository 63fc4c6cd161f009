import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  rewriteSources,
  rewriteStanzas,
  sourcesMeasure,
} from '../../../../appliance/stages/route/sources-files.ts';
import { contextFor } from '../../context.ts';
import { TemporaryHost } from '../../temporary-host.ts';

const list = 'etc/apt/sources.list';
const cloudInitFile = 'etc/cloud/cloud.cfg.d/99-landfall-apt.cfg';
const original = [
  'deb http://deb.debian.org/debian trixie main',
  'deb http://deb.debian.org/debian-security trixie-security main',
  '',
].join('\n');

function server() {
  const host = TemporaryHost.with({ [list]: original, 'etc/cloud/cloud.cfg.d/05.cfg': '' });
  const apply = (mirrors: object) => sourcesMeasure.apply(contextFor(host, { site: { mirrors } }));
  const text = () => readFileSync(host.path(list), 'utf8');
  return { host, apply, text };
}

describe('the package sources of a corrected site', () => {
  it('restores the original package sources without a mirror (regression: a dead mirror stayed)', async () => {
    const { host, apply, text } = server();
    await apply({ apt: 'http://dead.example/debian' });
    expect(text()).toContain('http://dead.example/debian trixie main');
    expect(existsSync(host.path(cloudInitFile))).toBe(true);
    await apply({});
    expect(text()).toBe(original);
    expect(existsSync(host.path(cloudInitFile))).toBe(false);
  });

  it('name another mirror, and the original archive for updates that lost theirs', async () => {
    const { apply, text } = server();
    await apply({ apt: 'http://one.example/debian', apt_security: 'http://one.example/security' });
    await apply({ apt: 'http://two.example/debian' });
    expect(text()).toBe(original.replace('deb.debian.org/debian ', 'two.example/debian '));
  });

  it('keep lines that the administrator added since', async () => {
    const { host, apply, text } = server();
    await apply({ apt: 'http://one.example/debian' });
    const added = `${text()}deb http://other.example/debian trixie-pgdg main\n`;
    writeFileSync(host.path(list), added);
    await apply({});
    expect(text()).toBe(added);
  });
});

const archives = {
  main: 'https://mirror.example.net/debian',
  security: 'https://mirror.example.net/debian-security',
};

describe('deb822 sources', () => {
  /** The sources of Debian's cloud images. */
  const cloudImage = `Types: deb deb-src
URIs: mirror+file:///etc/apt/mirrors/debian.list
Suites: trixie trixie-updates trixie-backports
Components: main
Signed-By: /usr/share/keyrings/debian-archive-keyring.gpg

Types: deb deb-src
URIs: mirror+file:///etc/apt/mirrors/debian-security.list
Suites: trixie-security
Components: main
`;

  it('use the mirrors, regardless of the URL of the archive', () => {
    expect(rewriteStanzas(cloudImage, 'trixie', archives)).toBe(
      cloudImage
        .replace('mirror+file:///etc/apt/mirrors/debian.list', archives.main)
        .replace('mirror+file:///etc/apt/mirrors/debian-security.list', archives.security),
    );
  });

  it('lose all other URLs of a field, which may span lines', () => {
    const several = 'URIs: http://one.example/debian\n http://two.example/debian\nSuites: trixie\n';
    const text = `Types: deb\n${several}Components: main contrib\n`;
    expect(rewriteStanzas(text, 'trixie', archives)).toBe(
      `Types: deb\nURIs: ${archives.main}\nSuites: trixie\nComponents: main contrib\n`,
    );
  });

  it('keep the security archive if the site has no mirror of it', () => {
    const changed = rewriteStanzas(cloudImage, 'trixie', { ...archives, security: undefined });
    expect(changed).toContain('mirror+file:///etc/apt/mirrors/debian-security.list');
    expect(changed).not.toContain('mirrors/debian.list');
  });

  it('keep comments and unrelated fields', () => {
    const text = `# From the provider.\n${cloudImage}Enabled: yes\n`;
    const changed = rewriteStanzas(text, 'trixie', archives);
    expect(changed).toMatch(/^# From the provider\.\nTypes: deb deb-src\nURIs: https:/);
    expect(changed).toMatch(/Components: main\nEnabled: yes\n$/);
  });
});

describe('one-line sources', () => {
  it('use the mirrors and keep their options', () => {
    const text = [
      'deb http://deb.debian.org/debian bookworm main non-free-firmware',
      'deb-src [arch=amd64] http://deb.debian.org/debian bookworm-updates main',
      'deb\thttp://security.debian.org/debian-security bookworm-security main # security',
      '',
    ].join('\n');
    expect(rewriteSources(text, 'bookworm', archives).split('\n')).toEqual([
      `deb ${archives.main} bookworm main non-free-firmware`,
      `deb-src [arch=amd64] ${archives.main} bookworm-updates main`,
      `deb\t${archives.security} bookworm-security main # security`,
      '',
    ]);
  });

  it.each([
    ['a comment', '# deb http://deb.debian.org/debian bookworm main'],
    ['a CD-ROM', 'deb cdrom:[Debian 12]/ bookworm main'],
    ['another suite', 'deb http://apt.postgresql.org/pub/repos/apt bookworm-pgdg main'],
    ['another component', 'deb https://download.docker.com/linux/debian bookworm stable'],
    [
      'another key',
      'deb [signed-by=/usr/share/keyrings/tailscale.gpg] https://pkgs.tailscale.com/stable/debian bookworm main',
    ],
    ['another release', 'deb http://deb.debian.org/debian trixie main'],
  ])('leaves one-line sources of %s unchanged', (_what, line) => {
    expect(rewriteSources(line, 'bookworm', archives)).toBe(line);
  });
});

describe('any sources', () => {
  const piece = fc.constantFrom(
    'deb ',
    '[',
    ']',
    'Types:',
    'URIs: ',
    'Suites: ',
    '\n',
    ' ',
    'trixie',
    'main',
    '#',
  );
  const text = fc.array(fc.oneof(piece, fc.string()), { maxLength: 40 }).map((all) => all.join(''));

  it('leaves sources unchanged in a second run, and without mirrors', () => {
    const none = { main: undefined, security: undefined };
    fc.assert(
      fc.property(text, (sources) => {
        for (const rewrite of [rewriteSources, rewriteStanzas]) {
          const once = rewrite(sources, 'trixie', archives);
          expect(rewrite(once, 'trixie', archives)).toBe(once);
          expect(rewrite(sources, 'trixie', none)).toBe(sources);
        }
      }),
    );
  });
});
