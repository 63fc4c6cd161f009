import { readdirSync, writeFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { LandfallError } from '#contract/errors.ts';
import { Host } from '../../../../appliance/server/host/host.ts';
import {
  archiveFiles,
  destinations,
  probeArchives,
} from '../../../../appliance/stages/route/probe-destinations.ts';
import { contextFor, type Differences, imageOf } from '../../context.ts';
import { TemporaryHost } from '../../temporary-host.ts';

function urlsOf({ release, site }: Differences) {
  const context = contextFor(TemporaryHost.with({}), {
    release: { kind: 'thin', ...release },
    ...(site === undefined ? {} : { site }),
  });
  return destinations(context.release, context.site);
}

const images = [
  imageOf('gateway', 1, { reference: 'nginx:1.30.7-alpine' }),
  imageOf('engine', 1, { reference: 'ollama/ollama:0.35.1' }),
  imageOf('ui', 1, { reference: 'ghcr.io/open-webui/open-webui:v0.12.4' }),
];

describe('the URLs that a server with a thin release requests', () => {
  it('include each registry once, and Docker Hub by the name of its API', () => {
    expect(urlsOf({ release: { images } })).toMatchObject([
      { what: 'images of docker.io', urls: ['https://registry-1.docker.io/v2/'] },
      { what: 'images of ghcr.io', urls: ['https://ghcr.io/v2/'] },
    ]);
  });

  it('include the mirror of a registry and the registry', () => {
    const mirrors = { registries: { 'docker.io': 'https://registry.example.cn/' } };
    expect(urlsOf({ release: { images }, site: { mirrors } })[0]?.urls).toEqual([
      'https://registry.example.cn/v2/',
      'https://registry-1.docker.io/v2/',
    ]);
  });

  it('exclude registries of disabled components and of images in the bundle', () => {
    const index = `sha256:${'b'.repeat(64)}`;
    const absent = [
      imageOf('lobe', 1, { reference: 'lobe.example/lobe:1', optional: true }),
      imageOf('relay', 1, { base: { reference: 'gcr.io/base:1', index } }),
    ];
    expect(urlsOf({ release: { images: absent } })).toEqual([]);
    const site = { components: { lobe: true } };
    expect(urlsOf({ release: { images: absent }, site })).toHaveLength(1);
  });

  it('include the URLs of its files', () => {
    const urls = ['https://github.example/compose'];
    const download = { path: 'runtime/x', urls, size: 1, sha256: 'a'.repeat(64), executable: true };
    const site = { mirrors: { files: 'https://mirror.example.net/files' } };
    expect(urlsOf({ release: { downloads: [download] }, site })).toEqual([
      { what: 'runtime/x', urls: ['https://mirror.example.net/files', ...urls] },
    ]);
  });

  it('lists no URLs for a full release', () => {
    expect(urlsOf({ release: { kind: 'full', images } })).toEqual([]);
  });
});

/** Output of `apt-get update --print-uris` on a cloud image. */
const uris = [
  "'mirror+file:/etc/apt/mirrors/debian.list/dists/trixie/InRelease' etc_InRelease 0",
  "'mirror+file:/etc/apt/mirrors/debian.list/dists/trixie-updates/InRelease' etc_InRelease 0",
  "'http://security.example/debian-security/dists/trixie-security/InRelease' s_InRelease 0",
  "'https://download.docker.com/linux/debian/dists/other/InRelease' d_InRelease 0",
  "'http://security.example/debian-security/dists/trixie-security/main/binary-amd64/Packages.xz' p 0",
].join('\n');
const mirrorList = {
  'etc/apt/mirrors/debian.list': '# ours\nhttp://deb.example/debian/ priority:1\n',
};

const archive = 'http://deb.example/debian/dists/trixie/InRelease';
const security = 'http://security.example/debian-security/dists/trixie-security/InRelease';

describe('the files to test archives with', () => {
  it('finds one test file per archive of the distribution through the mirror lists of the image', async () => {
    const host = TemporaryHost.with(mirrorList, { 'apt-get update --print-uris': uris });
    expect((await archiveFiles(contextFor(host))).sort()).toEqual([archive, security].sort());
  });
});

describe('reachable archives', () => {
  it('leave no temporary files', async () => {
    const host = TemporaryHost.with(mirrorList, {
      'apt-get update --print-uris': uris,
      '/usr/lib/apt/apt-helper': (line) => {
        writeFileSync(line.split(' ').at(-1) ?? '', 'an InRelease file');
        return '';
      },
    });
    const subjects = (await probeArchives(contextFor(host))).map(({ subject, failure }) => ({
      subject,
      failure,
    }));
    expect(subjects).toEqual([
      { subject: 'packages of security.example', failure: undefined },
      { subject: 'packages of deb.example', failure: undefined },
    ]);
    expect(host.ran.filter((line) => line.includes('download-file'))).toHaveLength(2);
    expect(readdirSync(host.path('run/landfall/precondition'))).toEqual([]);
  });
});

describe('an unreachable archive', () => {
  it('reports an unreachable archive with the error of apt', async () => {
    const host = new Host(TemporaryHost.with(mirrorList).root, async (file, args) => {
      if (file === 'apt-get') return { code: 0, stdout: uris, stderr: '' };
      if (!args.includes(security)) return { code: 0, stdout: '', stderr: '' };
      const said = [
        'Err:1 http://security.example/debian-security trixie-security InRelease',
        `E: Failed to fetch ${security}  Could not connect to security.example:80`,
        'E: Download Failed',
      ];
      const problems = said.map((message) => ({ message }));
      throw new LandfallError('COMMAND_FAILED', 'apt-helper exited with code 100', { problems });
    });
    expect(await probeArchives(contextFor(host))).toContainEqual({
      subject: 'packages of security.example',
      title: { en: 'packages of security.example', zh: 'security.example 的软件包' },
      failure: 'Could not connect to security.example:80',
      code: 'NETWORK_UNREACHABLE',
      warning: { kind: 'route', subject: 'packages of security.example' },
    });
  });
});
