import { describe, expect, it } from 'vitest';
import { pullOutside } from '../../../appliance/images/pull-outside.ts';
import { contextFor, imageOf } from '../context.ts';
import { TemporaryHost } from '../temporary-host.ts';
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
  it('is pulled from the mirror of the site', async () => {
    const { came, sources } = await pull(pulled, pulled);
    expect(await came).toMatch(/^mirror\.example\/hub\/x\/engine@sha256:/);
    expect(sources).toEqual(['mirror.example/hub/x/engine']);
  });

  it('is pulled from its own registry if the mirror does not have it', async () => {
    const { came, sources } = await pull(failed('manifest unknown'), pulled);
    expect(await came).toMatch(home);
    expect(sources).toEqual(['mirror.example/hub/x/engine', 'docker.io/x/engine']);
  });

  it('that no source has causes an error with both reasons', async () => {
    const { came } = await pull(failed('manifest unknown'), refused(429, 'toomanyrequests: wait'));
    await expect(came).rejects.toMatchObject({
      code: 'NETWORK_UNREACHABLE',
      message: 'x/engine:1 could not be pulled',
      problems: [
        { message: expect.stringMatching(/^mirror\.example.* image not found$/) },
        { message: 'Docker reports: manifest unknown' },
        { message: expect.stringMatching(/^docker\.io.* rate-limited by the registry$/) },
        { message: 'Docker reports: toomanyrequests: wait' },
      ],
    });
  });

  it('with a single source fails with the error of that source', async () => {
    const { came } = await pull(pulled, failed('manifest unknown'), {});
    await expect(came).rejects.toMatchObject({ code: 'IMAGE_NOT_FOUND' });
  });

  it('is not requested from the next source if the disk is full', async () => {
    const { came, sources } = await pull(failed('no space left on device'), pulled);
    await expect(came).rejects.toMatchObject({ code: 'DISK_FULL' });
    expect(sources).toHaveLength(1);
  });
});
