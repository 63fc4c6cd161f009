import { describe, expect, it } from 'vitest';
import { stageNames } from '../../../appliance/server/stage/stage.ts';
import { readVmSelection } from './selection.ts';

describe('npm run test:vm', () => {
  it('cuts the power in one stage, the same by default', () => {
    const selection = readVmSelection([]);
    expect(selection).toMatchObject({ files: [], preinstalled: false });
    expect(selection?.cuts).toHaveLength(1);
    expect(readVmSelection([])).toEqual(selection);
  });

  it('reaches every stage with increasing seeds', () => {
    const chosen = stageNames.flatMap(
      (_, seed) => readVmSelection(['--seed', `${seed}`])?.cuts ?? [],
    );
    expect(new Set(chosen)).toEqual(new Set(stageNames));
  });

  it('accepts stages by name, or all of them', () => {
    expect(readVmSelection(['--cuts', 'ssh,firewall'])?.cuts).toEqual(['ssh', 'firewall']);
    expect(readVmSelection(['--cuts', 'all'])?.cuts).toEqual(stageNames);
  });

  it('uses a server for each stage, unless --in-a-row is set', () => {
    expect(readVmSelection(['--cuts', 'all'])?.inARow).toBe(false);
    expect(readVmSelection(['--cuts', 'all', '--in-a-row'])?.inARow).toBe(true);
  });

  it('accepts parts of file names, and the image with preinstalled packages', () => {
    const selection = readVmSelection(['--preinstalled', 'bootstrap', 'power']);
    expect(selection).toMatchObject({ files: ['bootstrap', 'power'], preinstalled: true });
  });

  it.each([[['--nonsense']], [['--cuts', 'lunch']], [['--cuts', '']], [['--seed', 'x']]])(
    'rejects %j',
    (args) => {
      expect(readVmSelection(args)).toBeUndefined();
    },
  );
});
