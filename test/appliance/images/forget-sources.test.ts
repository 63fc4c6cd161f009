import { describe, expect, it } from 'vitest';
import { forgetSources } from '../../../appliance/images/forget-sources.ts';
import { contextFor, imageOf } from '../context.ts';
import { TemporaryHost } from '../temporary-host.ts';

const ours = `sha256:${'a'.repeat(64)}`;
const others = `sha256:${'b'.repeat(64)}`;

async function removedOf(lines: readonly string[]): Promise<readonly string[]> {
  const host = TemporaryHost.with({}, { 'docker image ls': `${lines.join('\n')}\n` });
  await forgetSources(contextFor(host, { release: { images: [imageOf('engine', 1)] } }));
  return host.ran.slice(1);
}

describe('the names that images were pulled under', () => {
  // A run was killed after it had tagged an image; the name with the port of its registry stayed.
  it('go, whichever registry they were of', async () => {
    const [loopback, hub] = ['127.0.0.1:37369/landfall/engine', 'ollama/ollama'];
    expect(await removedOf([`${loopback} <none> ${ours}`, `${hub} <none> ${ours}`])).toEqual([
      `docker image rm --no-prune ${loopback}@${ours}`,
      `docker image rm --no-prune ${hub}@${ours}`,
    ]);
  });

  it.each([
    `landfall.local/engine 1.0.0 ${ours}`,
    `ollama/ollama latest ${ours}`,
    `127.0.0.1:5000/mine <none> ${others}`,
    '<none> <none> <none>',
    `<none> <none> ${ours}`,
    `--force <none> ${ours}`,
    '',
  ])('are not what %j says', async (line) => {
    expect(await removedOf([line])).toEqual([]);
  });
});
