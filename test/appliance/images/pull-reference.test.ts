import { describe, expect, it } from 'vitest';
import { imageName } from '../../../appliance/host/pull/image-name.ts';
import { pullReferences } from '../../../appliance/images/pull-reference.ts';

describe('the name of an image', () => {
  it.each([
    ['nginx:1.30.5-alpine', 'docker.io', 'library/nginx'],
    ['ollama/ollama:0.35.1', 'docker.io', 'ollama/ollama'],
    ['ghcr.io/open-webui/open-webui:v0.11.4', 'ghcr.io', 'open-webui/open-webui'],
    ['localhost/x:1', 'localhost', 'x'],
    ['127.0.0.1:5000/a/b:1', '127.0.0.1:5000', 'a/b'],
    ['[fd00::1]:5000/a/b', '[fd00::1]:5000', 'a/b'],
    [`nginx@sha256:${'0'.repeat(64)}`, 'docker.io', 'library/nginx'],
    [`ghcr.io/a/b:1@sha256:${'0'.repeat(64)}`, 'ghcr.io', 'a/b'],
  ])('%s is read as Docker reads it', (reference, registry, repository) => {
    expect(imageName(reference)).toEqual({ registry, repository });
  });
});

describe('what is pulled for a thin bundle', () => {
  const manifest = `sha256:${'a'.repeat(64)}`;
  const index = `sha256:${'b'.repeat(64)}`;
  const image = { reference: 'ghcr.io/a/b:1', manifest, index };
  const none = { mirrors: { registries: {} } };

  it('is the manifest of this platform, by digest', () => {
    expect(pullReferences(image, none)).toEqual([`ghcr.io/a/b@${manifest}`]);
  });

  it('is the index if the manifest is not locked', () => {
    expect(pullReferences({ ...image, manifest: null }, none)).toEqual([`ghcr.io/a/b@${index}`]);
  });

  it('comes from the mirror of its registry first, and from home when that has it not', () => {
    const mirrors = { registries: { 'ghcr.io': 'https://m.example.cn/ghcr/' } };
    expect(pullReferences(image, { mirrors })).toEqual([
      `m.example.cn/ghcr/a/b@${manifest}`,
      `ghcr.io/a/b@${manifest}`,
    ]);
  });

  // Docker read it as a folder on its own hub.
  it.each([
    ['http://mirror/hub', 'mirror:80/hub'],
    ['https://mirror', 'mirror:443'],
    ['http://mirror:5000', 'mirror:5000'],
    ['http://localhost', 'localhost'],
    ['https://m.example', 'm.example'],
  ])('comes from a mirror %s under the name %s, which is no folder of the hub', (mirror, name) => {
    const [first = ''] = pullReferences(image, { mirrors: { registries: { 'ghcr.io': mirror } } });
    expect(first).toBe(`${name}/a/b@${manifest}`);
    expect(imageName(first).registry).toBe(name.split('/')[0]);
  });

  it('does not ask the mirror of another registry', () => {
    const mirrors = { registries: { 'docker.io': 'https://m.example.cn' } };
    expect(pullReferences(image, { mirrors })).toEqual([`ghcr.io/a/b@${manifest}`]);
  });
});
