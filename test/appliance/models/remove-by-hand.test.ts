import { beforeEach, describe, expect, it } from 'vitest';
import { readModelName } from '../../../appliance/models/model-states.ts';
import { removeByHand } from '../../../appliance/models/remove-by-hand.ts';
import { bundledModel, serverWith } from './bundled-model.ts';
import { SmallEngine } from './small-engine.ts';

let engine: SmallEngine;
beforeEach(async () => {
  engine = await SmallEngine.start();
});

const remove = async (name: string) => {
  const { context } = serverWith([bundledModel('tiny:1b')], {
    site: { ports: { engine: engine.port } },
  });
  return await removeByHand(context, readModelName(name));
};

describe('the removal of a model by the user', () => {
  it('accepts any form of its name', async () => {
    engine.models.set('Mine:1b', 'a'.repeat(64));
    expect(await remove('library/mine:1B')).toBe(false);
    expect(engine.models.size).toBe(0);
  });

  it('returns whether the release names the model', async () => {
    engine.models.set('tiny:1b', 'a'.repeat(64));
    expect(await remove('Tiny:1b')).toBe(true);
  });

  it('lists the installed models if the model does not exist', async () => {
    engine.models.set('tiny:1b', 'a'.repeat(64));
    await expect(remove('tiny:2b')).rejects.toMatchObject({
      code: 'USAGE',
      message: 'model not found: tiny:2b',
      hint: 'Use one of: tiny:1b.',
    });
    expect(engine.models.size).toBe(1);
  });

  it('reports that no models are installed', async () => {
    await expect(remove('tiny:1b')).rejects.toMatchObject({
      hint: 'Run `sudo landfall models list`. No models are installed.',
    });
  });
});
