import { createHash } from 'node:crypto';
import { appendFile, cp, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { localImage } from '#contract/bundle/release-name.ts';
import type { StackInput } from '../../../appliance/stages/stack/stack-input.ts';
import type { RunningStack } from './running-stack.ts';
import type { Service, StackRig } from './stack-rig.ts';

/** What Compose does when the stack of another release starts. */
export function releases(stack: () => RunningStack): void {
  describe('another release', () => {
    let folder: string;
    const rig = () => stack().rig;

    // A release is a folder of its own, so every path in it is another one.
    beforeAll(async () => {
      folder = join(rig().state, 'release-1.1.0');
      await cp(rig().release, folder, { recursive: true });
      rig().release = folder;
    });
    afterAll(() => rm(folder, { recursive: true, force: true }));

    it('replaces no container if it has the same images and settings', async () => {
      expect(await replacedBy(rig(), rig().input)).toEqual([]);
    });

    it.each(['tinyproxy', 'relay', 'engine', 'gateway'] as const)(
      'replaces only the container of %s if its image is another one',
      async (component) => {
        expect(await replacedBy(rig(), await withOtherImage(rig(), component))).toEqual([
          component,
        ]);
      },
    );

    it('reloads the gateway if it has another nginx.conf, and replaces no container', async () => {
      await appendFile(join(folder, 'gateway/nginx.conf'), '# another release\n');
      expect(await replacedBy(rig(), rig().input)).toEqual([]);
      const configuration = ['nginx', '-c', '/etc/nginx/landfall/nginx.conf', '-T'];
      const { code, output } = await rig().exec('gateway', ...configuration);
      expect([code, output.includes('# another release')]).toEqual([0, true]);
    });
  });
}

/** Starts the stack with this input. Returns the services whose containers are new. */
async function replacedBy(rig: StackRig, input: StackInput): Promise<string[]> {
  const before = await containersOf(rig);
  await rig.render(input);
  await rig.compose('up', '--detach', '--remove-orphans', '--wait', '--wait-timeout', '120');
  const after = await containersOf(rig);
  expect([...after.keys()].sort()).toEqual([...before.keys()].sort());
  return [...after].filter(([name, id]) => before.get(name) !== id).map(([name]) => name);
}

async function containersOf({ engine }: StackRig): Promise<Map<string, string>> {
  const containers = await engine.listContainers({ all: true });
  return new Map(
    containers.map(({ Id, Labels }) => [Labels['com.docker.compose.service'] ?? '', Id]),
  );
}

/** Adds a layer to the image of a component, and returns the input with its digest. */
async function withOtherImage(rig: StackRig, component: Service): Promise<StackInput> {
  const { input, engine } = rig;
  const index = `sha256:${createHash('sha256').update(component).digest('hex')}`;
  const images = input.images.map((image) =>
    image.component === component ? { component, index } : image,
  );
  const [repo, tag] = localImage({ component, index }).split(':');
  await engine.getContainer(`landfall-${component}`).commit({ repo, tag });
  return { ...input, images };
}
