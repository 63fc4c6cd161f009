import { describe, expect, it } from 'vitest';
import { destinations } from '../../../appliance/route/destinations.ts';
import { contextFor, type Differences, imageOf } from '../context.ts';
import { TemporaryHost } from '../temporary-host.ts';

function places({ release, site }: Differences) {
  const context = contextFor(TemporaryHost.with({}), {
    release: { kind: 'thin', ...release },
    ...(site === undefined ? {} : { site }),
  });
  return destinations(context.release, context.site);
}

const images = [
  imageOf('gateway', 1, { reference: 'nginx:1.30.5-alpine' }),
  imageOf('engine', 1, { reference: 'ollama/ollama:0.35.1' }),
  imageOf('ui', 1, { reference: 'ghcr.io/open-webui/open-webui:v0.11.4' }),
];

describe('where a thin release sends a server', () => {
  it('is each registry once, and the hub under the name that answers', () => {
    expect(places({ release: { images } })).toEqual([
      { what: 'images of docker.io', urls: ['https://registry-1.docker.io/v2/'] },
      { what: 'images of ghcr.io', urls: ['https://ghcr.io/v2/'] },
    ]);
  });

  it('is the mirror of a registry, or the registry', () => {
    const mirrors = { registries: { 'docker.io': 'https://registry.example.cn/' } };
    expect(places({ release: { images }, site: { mirrors } })[0]?.urls).toEqual([
      'https://registry.example.cn/v2/',
      'https://registry-1.docker.io/v2/',
    ]);
  });

  it('is no registry for an optional component that is off, nor for what the bundle holds', () => {
    const index = `sha256:${'b'.repeat(64)}`;
    const absent = [
      imageOf('lobe', 1, { reference: 'lobe.example/lobe:1', optional: true }),
      imageOf('relay', 1, { base: { reference: 'gcr.io/base:1', index } }),
    ];
    expect(places({ release: { images: absent } })).toEqual([]);
    const site = { components: { lobe: true } };
    expect(places({ release: { images: absent }, site })).toHaveLength(1);
  });

  it('is where its files are', () => {
    const urls = ['https://github.example/compose'];
    const download = { path: 'runtime/x', urls, size: 1, sha256: 'a'.repeat(64), executable: true };
    const site = { mirrors: { files: 'https://mirror.example.net/files' } };
    expect(places({ release: { downloads: [download] }, site })).toEqual([
      { what: 'runtime/x', urls: ['https://mirror.example.net/files', ...urls] },
    ]);
  });

  it('is nowhere for a full one', () => {
    expect(places({ release: { kind: 'full', images } })).toEqual([]);
  });
});
