import { describe, expect, it } from 'vitest';
import { selectComponents } from '../../../../builder/bundle/archive/selection.ts';
import { unresolved } from '../../../../builder/inputs/lock/lock.ts';
import { lockFor, someAppliance } from '../../inputs/lock/fixture.ts';

const appliance = someAppliance({
  components: {
    engine: { image: 'ollama/ollama:1', optional: false },
    chat: { image: 'chat:1', optional: true },
    lobe: { image: 'lobe:1', optional: true },
  },
});

function lockWithout(...names: string[]) {
  const lock = structuredClone(lockFor(appliance));
  for (const name of names) {
    const image = lock.images[name];
    if (image) image.index = unresolved;
  }
  return lock;
}

const namesOf = (selection: ReturnType<typeof selectComponents>) =>
  selection.components.map(({ name }) => name);

describe('the components of a bundle', () => {
  it('selects all components of the appliance, in its order', () => {
    expect(namesOf(selectComponents(appliance, lockFor(appliance), new Set()))).toEqual([
      'engine',
      'chat',
      'lobe',
    ]);
  });

  it('leave out an optional one that is not locked, and return its name', () => {
    const selection = selectComponents(appliance, lockWithout('chat'), new Set());
    expect(namesOf(selection)).toEqual(['engine', 'lobe']);
    expect(selection.unknown).toEqual(['chat']);
  });

  it('rejects the components of a bundle if a required one is not locked', () => {
    expect(() => selectComponents(appliance, lockWithout('engine'), new Set())).toThrow(
      expect.objectContaining({
        code: 'LOCK_UNRESOLVED',
        message: expect.stringContaining('engine'),
      }),
    );
  });

  it('leave out the given names', () => {
    expect(namesOf(selectComponents(appliance, lockFor(appliance), new Set(['lobe'])))).toEqual([
      'engine',
      'chat',
    ]);
  });

  it.each([
    ['engine', 'is required'],
    ['ghost', 'no such component or model'],
  ])('cannot leave out %s', (name, message) => {
    expect(() => selectComponents(appliance, lockFor(appliance), new Set([name]))).toThrow(
      expect.objectContaining({
        code: 'USAGE',
        message: expect.stringContaining(message),
        hint: 'Choose from: chat, lobe.',
      }),
    );
  });
});
