import { describe, expect, it } from 'vitest';
import { modulesOf } from './loaded-modules.ts';

const advice = 'import it in the action of the command: docs/architecture.md, "Adding a command"';

describe('landfall', () => {
  it.each([[['--help']], [['completion', 'bash']]])(
    'loads the definitions of the commands for %j, and not what the commands do',
    async (args) => {
      const { files, packages } = await modulesOf(args);
      expect(packages, advice).toEqual(['commander']);
      expect(files).toContain('builder/commands/build.ts');
      expect(files.length, advice).toBeLessThan(80);
    },
  );

  it('loads for a command what that command does only', async () => {
    const { files } = await modulesOf(['schema', 'site']);
    expect(files).toContain('builder/inputs/config/json-schemas.ts');
    for (const folder of ['inputs/blobs', 'bundle/archive', 'deliver']) {
      const others = files.filter((path) => path.startsWith(`builder/${folder}/`));
      const definitions = ['builder/deliver/user-data/providers.ts'];
      expect(
        others.filter((path) => !definitions.includes(path)),
        advice,
      ).toEqual([]);
    }
  });
});
