import { describe, expect, it } from 'vitest';
import { modulesOf } from './loaded-modules.ts';

describe('landfall --help', () => {
  it('loads the definitions of the commands, and not what the commands do', async () => {
    const advice =
      'import it in the action of the command: docs/architecture.md, "Adding a command"';
    const { files, packages } = await modulesOf(['--help']);
    expect(packages, advice).toEqual(['commander']);
    expect(files).toContain('builder/commands/build.ts');
    expect(
      files.filter((path) => path.startsWith('builder/actions/')),
      advice,
    ).toEqual([]);
    expect(files.length, advice).toBeLessThan(75);
  });
});

describe('a command', () => {
  it('loads its own action only', async () => {
    const { files } = await modulesOf(['completion', 'bash']);
    expect(files.filter((path) => path.startsWith('builder/actions/'))).toEqual([]);
    const schema = await modulesOf(['schema', 'site']);
    expect(schema.files.filter((path) => path.startsWith('builder/actions/'))).toEqual([
      'builder/actions/schema.ts',
    ]);
  });
});
