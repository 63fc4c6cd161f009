import { describe, expect, it } from 'vitest';
import { imageName } from '../../../../appliance/server/host/pull/image-name.ts';
import { pullOutside, pullReferences } from '../../../../appliance/stages/images/pull-outside.ts';
import { contextFor, imageOf } from '../../context.ts';
import { TemporaryHost } from '../../temporary-host.ts';
import { failed, openDockerSocket, type PullAnswer, pulled, refused } from './docker-socket.ts';

const home = /^docker\.io\/x\/engine@sha256:/;
const mirrors = { registries: { 'docker.io': 'https://mirror.example/hub' } };

/** Pulls an image with the given responses for the mirror and the registry. */
async function pull(
  atMirror: PullAnswer,
  atHome: PullAnswer,
  site: Record<string, unknown> = { mirrors },
) {
  const host = TemporaryHost.with({});
  const asked = openDockerSocket(host, (response, one) =>
    (home.test(one.reference) ? atHome : atMirror)(response, one),
  );
  const image = imageOf('engine', 1, { reference: 'x/engine:1' });
  const context = contextFor(host, { site, release: { images: [image] } });
  const came = pullOutside(context, image);
  await came.catch(() => undefined);
  const sources = asked.map(({ reference }) => reference.split('@')[0]);
  return { came, sources };
}

describe('an image of a thin bundle', () => {
  it('pulls an image of a thin bundle from the mirror of the site', async () => {
    const { came, sources } = await pull(pulled, pulled);
    expect(await came).toMatch(/^mirror\.example\/hub\/x\/engine@sha256:/);
    expect(sources).toEqual(['mirror.example/hub/x/engine']);
  });

  it('pulls an image from its own registry if the mirror does not have it', async () => {
    const { came, sources } = await pull(failed('manifest unknown'), pulled);
    expect(await came).toMatch(home);
    expect(sources).toEqual(['mirror.example/hub/x/engine', 'docker.io/x/engine']);
  });

  it('that no source has causes an error with both reasons', async () => {
    const { came } = await pull(failed('manifest unknown'), refused(429, 'toomanyrequests: wait'));
    await expect(came).rejects.toMatchObject({
      code: 'REGISTRY_RATE_LIMIT',
      message: expect.stringMatching(/^docker\.io.* rate-limited by the registry$/),
      problems: [
        { message: 'Docker reports: toomanyrequests: wait' },
        { message: expect.stringMatching(/^mirror\.example.* image not found$/) },
      ],
    });
  });

  it('with a single source fails with the error of that source', async () => {
    const { came } = await pull(pulled, failed('manifest unknown'), {});
    await expect(came).rejects.toMatchObject({ code: 'IMAGE_NOT_FOUND' });
  });

  it('skips the next source of an image if the disk is full', async () => {
    const { came, sources } = await pull(failed('no space left on device'), pulled);
    await expect(came).rejects.toMatchObject({ code: 'DISK_FULL' });
    expect(sources).toHaveLength(1);
  });
});

describe('the name of an image', () => {
  it.each([
    ['nginx:1.30.7-alpine', 'docker.io', 'library/nginx'],
    ['ollama/ollama:0.35.1', 'docker.io', 'ollama/ollama'],
    ['ghcr.io/open-webui/open-webui:v0.12.4', 'ghcr.io', 'open-webui/open-webui'],
    ['localhost/x:1', 'localhost', 'x'],
    ['127.0.0.1:5000/a/b:1', '127.0.0.1:5000', 'a/b'],
    ['[fd00::1]:5000/a/b', '[fd00::1]:5000', 'a/b'],
    [`nginx@sha256:${'0'.repeat(64)}`, 'docker.io', 'library/nginx'],
    [`ghcr.io/a/b:1@sha256:${'0'.repeat(64)}`, 'ghcr.io', 'a/b'],
  ])('%s is parsed as Docker does', (reference, registry, repository) => {
    expect(imageName(reference)).toEqual({ registry, repository });
  });
});

describe('the pull references of an image in a thin bundle', () => {
  const manifest = `sha256:${'a'.repeat(64)}`;
  const index = `sha256:${'b'.repeat(64)}`;
  const image = { reference: 'ghcr.io/a/b:1', manifest, index };
  const none = { mirrors: { registries: {} } };

  it('contain the manifest digest of this platform', () => {
    expect(pullReferences(image, none)).toEqual([`ghcr.io/a/b@${manifest}`]);
  });

  it('contain the index digest if the manifest is not locked', () => {
    expect(pullReferences({ ...image, manifest: null }, none)).toEqual([`ghcr.io/a/b@${index}`]);
  });

  it('start with the mirror of the registry, then the registry', () => {
    const mirrors = { registries: { 'ghcr.io': 'https://m.example.cn/ghcr/' } };
    expect(pullReferences(image, { mirrors })).toEqual([
      `m.example.cn/ghcr/a/b@${manifest}`,
      `ghcr.io/a/b@${manifest}`,
    ]);
  });

  it('try each mirror of the registry in order', () => {
    const mirrors = { registries: { 'ghcr.io': ['https://one.example', 'https://two.example'] } };
    expect(pullReferences(image, { mirrors })).toEqual([
      `one.example/a/b@${manifest}`,
      `two.example/a/b@${manifest}`,
      `ghcr.io/a/b@${manifest}`,
    ]);
  });

  // Regression: Docker took the mirror for a folder of Docker Hub.
  it.each([
    ['http://mirror/hub', 'mirror:80/hub'],
    ['https://mirror', 'mirror:443'],
    ['http://mirror:5000', 'mirror:5000'],
    ['http://localhost', 'localhost'],
    ['https://m.example', 'm.example'],
  ])(
    'use for the mirror %s the name %s, which Docker does not take for a folder of Docker Hub',
    (mirror, name) => {
      const [first = ''] = pullReferences(image, {
        mirrors: { registries: { 'ghcr.io': mirror } },
      });
      expect(first).toBe(`${name}/a/b@${manifest}`);
      expect(imageName(first).registry).toBe(name.split('/')[0]);
    },
  );

  it('do not include the mirror of another registry', () => {
    const mirrors = { registries: { 'docker.io': 'https://m.example.cn' } };
    expect(pullReferences(image, { mirrors })).toEqual([`ghcr.io/a/b@${manifest}`]);
  });
});
