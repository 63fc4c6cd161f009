import { describe, expect, it } from 'vitest';
import { destinations } from '../../../appliance/route/probe-destinations.ts';
import { contextFor, type Differences, imageOf } from '../context.ts';
import { TemporaryHost } from '../temporary-host.ts';

function urlsOf({ release, site }: Differences) {
  const context = contextFor(TemporaryHost.with({}), {
    release: { kind: 'thin', ...release },
    ...(site === undefined ? {} : { site }),
  });
  return destinations(context.release, context.site);
}

const images = [
  imageOf('gateway', 1, { reference: 'nginx:1.30.5-alpine' }),
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
