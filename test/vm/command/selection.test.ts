import { describe, expect, it } from 'vitest';
import { stageNames } from '../../../appliance/stage/stage.ts';
import { readVmSelection } from './selection.ts';

describe('npm run test:vm', () => {
  it('cuts the power in one stage, always the same, unless told otherwise', () => {
    const selection = readVmSelection([]);
    expect(selection).toMatchObject({ files: [], preinstalled: false });
    expect(selection?.cuts).toHaveLength(1);
    expect(readVmSelection([])).toEqual(selection);
  });

  it('comes to every stage when the seed counts up', () => {
    const chosen = stageNames.flatMap(
      (_, seed) => readVmSelection(['--seed', `${seed}`])?.cuts ?? [],
    );
    expect(new Set(chosen)).toEqual(new Set(stageNames));
  });

  it('takes stages by name, or all of them', () => {
    expect(readVmSelection(['--cuts', 'ssh,firewall'])?.cuts).toEqual(['ssh', 'firewall']);
    expect(readVmSelection(['--cuts', 'all'])?.cuts).toEqual(stageNames);
  });

  it('gives each stage a server of its own, unless one is to stand them all', () => {
    expect(readVmSelection(['--cuts', 'all'])?.inARow).toBe(false);
    expect(readVmSelection(['--cuts', 'all', '--in-a-row'])?.inARow).toBe(true);
  });

  it('takes parts of names of files, and the image that has the packages', () => {
    const selection = readVmSelection(['--preinstalled', 'bootstrap', 'power']);
    expect(selection).toMatchObject({ files: ['bootstrap', 'power'], preinstalled: true });
  });

  it.each([[['--nonsense']], [['--cuts', 'lunch']], [['--cuts', '']], [['--seed', 'x']]])(
    'does not guess what %j means',
    (args) => {
      expect(readVmSelection(args)).toBeUndefined();
    },
  );
});
