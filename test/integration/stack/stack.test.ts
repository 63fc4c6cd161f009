import { afterAll, beforeAll } from 'vitest';
import { registerModels } from '../../../appliance/shared/smoke/ui-models.ts';
import { needs } from '../needs.ts';
import { chatUi } from './chat-ui.ts';
import { containers } from './containers.ts';
import { frontEnds } from './front-ends.ts';
import { gateway } from './gateway.ts';
import { networks } from './networks.ts';
import { proxy } from './proxy.ts';
import { releases } from './releases.ts';
import { RunningStack } from './running-stack.ts';
import { smoke } from './smoke.ts';
import { insideOf } from './smoke-target.ts';
import { putTinyModels, tinyModels } from './tiny-models.ts';

const real = needs('engine', 'registry', 'composePlugin');

/** One stack for all tests, because its start takes longer than the tests. */
real.describe('the stack that Landfall ships', () => {
  let running: RunningStack;
  const stack = () => running;

  beforeAll(async () => {
    running = await RunningStack.start(real);
    await putTinyModels(await running.rig.volumeFolder('engine-data', 'models'));
    await registerModels(await insideOf(running), tinyModels.models);
  });
  afterAll(() => running?.close());

  containers(stack);
  networks(stack);
  gateway(stack);
  // First: the later tests use up the rate limit of a client.
  smoke(stack);
  chatUi(stack);
  frontEnds(stack);
  proxy(stack);
  // Last: it replaces containers.
  releases(stack);
});
