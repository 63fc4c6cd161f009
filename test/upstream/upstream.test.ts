import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { runSmoke } from '../../appliance/shared/smoke/run-smoke.ts';
import { smokeTests } from '../../appliance/shared/smoke/smoke-tests.ts';
import { registerModels } from '../../appliance/shared/smoke/ui-models.ts';
import { needs } from '../integration/needs.ts';
import { RunningStack } from '../integration/stack/running-stack.ts';
import { insideOf } from '../integration/stack/smoke-target.ts';
import { putTinyModels, tinyModels } from '../integration/stack/tiny-models.ts';
import { givenImages } from './images.ts';

const real = needs('engine', 'registry', 'composePlugin', 'lego');
const { images } = givenImages(process.env);

/** Large images create databases and load data at their first start. Seconds. */
const startTimeout = 1200;

real.describe(`the stack with your images of ${Object.keys(images).join(', ')}`, () => {
  let stack: RunningStack;
  beforeAll(async () => {
    stack = await RunningStack.start({ ...real, images, seconds: startTimeout });
    await putTinyModels(await stack.rig.volumeFolder('engine-data', 'models'));
    await registerModels(await insideOf(stack), tinyModels.models);
  });
  afterAll(() => stack?.close());

  it('reports every container of the stack as healthy', async () => {
    for (const { Id } of await stack.rig.engine.listContainers()) {
      const { Name, State } = await stack.rig.engine.getContainer(Id).inspect();
      if (Name.startsWith('/landfall-')) expect(State.Health?.Status, Name).toBe('healthy');
    }
  });

  it('runs a working certificate client', async () => {
    expect(await stack.rig.compose('run', '--rm', 'acme', '--version')).toMatch(
      /^lego version v?\d/m,
    );
  });

  describe('in the smoke tests of the product', () => {
    it.each(smokeTests.map((test) => [test.title, test] as const))('%s', async (_title, test) => {
      const [result] = await runSmoke(await insideOf(stack, tinyModels.models), undefined, [test]);
      expect(result, result?.detail).toMatchObject({ outcome: 'passed' });
    });
  });
});
