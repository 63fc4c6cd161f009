import { describe, expect, it } from 'vitest';
import { forgetSources } from '../../../appliance/images/forget-sources.ts';
import { contextFor, imageOf } from '../context.ts';
import { TemporaryHost } from '../temporary-host.ts';

const digest = `sha256:${'a'.repeat(64)}`;

async function removedOf(names: readonly string[]): Promise<readonly string[]> {
  const host = TemporaryHost.with(
    {},
    { 'docker image inspect': `${names.join('\n')}\n\n`, 'docker image rm --no-prune': '' },
  );
  await forgetSources(contextFor(host, { release: { images: [imageOf('engine', 1)] } }));
  return host.ran.filter((line) => !line.startsWith('docker image inspect'));
}

describe('image names from the pull', () => {
  // Regression: a name with the port of the loopback registry stayed after a killed run.
  it('are removed, whatever their registry', async () => {
    const [loopback, hub] = ['127.0.0.1:37369/landfall/engine', 'ollama/ollama'];
    expect(await removedOf([`${loopback}@${digest}`, `${hub}@${digest}`])).toEqual([
      `docker image rm --no-prune ${loopback}@${digest}`,
      `docker image rm --no-prune ${hub}@${digest}`,
    ]);
  });

  it.each([`landfall.local/engine@${digest}`, `--force@${digest}`, 'ollama/ollama:latest', ''])(
    'do not include %j',
    async (name) => {
      expect(await removedOf([name])).toEqual([]);
    },
  );

  it('are removed from images that the site runs', async () => {
    const images = [imageOf('engine', 1), imageOf('lobe', 1, { optional: true })];
    const host = TemporaryHost.with({}, { 'docker image inspect': '' });
    await forgetSources(contextFor(host, { release: { images } }));
    expect(host.ran.map((line) => line.split(' ').at(-1))).toEqual(['landfall.local/engine:1.0.0']);
  });
});
