import { afterAll, beforeAll } from 'vitest';
import { needs } from '../needs.ts';
import { chatUi } from './chat-ui.ts';
import { containers } from './containers.ts';
import { frontEnds } from './front-ends.ts';
import { gateway } from './gateway.ts';
import { networks } from './networks.ts';
import { proxy } from './proxy.ts';
import { RunningStack } from './running-stack.ts';
import { smoke } from './smoke.ts';
import { putTinyModels } from './tiny-models.ts';

const real = needs('engine', 'registry', 'composePlugin');

/** One stack for all of it: to bring it up takes longer than to ask it everything. */
real.describe('the stack that Landfall ships', () => {
  let running: RunningStack;
  const stack = () => running;

  beforeAll(async () => {
    running = await RunningStack.start(real);
    await putTinyModels(await running.rig.volumeFolder('engine-data', 'models'));
  });
  afterAll(() => running?.close());

  containers(stack);
  networks(stack);
  gateway(stack);
  // Before those that use up what a visitor may try in a minute.
  smoke(stack);
  chatUi(stack);
  frontEnds(stack);
  proxy(stack);
});
