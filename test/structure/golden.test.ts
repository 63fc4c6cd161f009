import { readdirSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { stageNames } from '../../appliance/server/stage/stage.ts';
import { heading } from '../golden/golden.ts';
import { goldenFolder, readGolden } from '../golden/golden-folder.ts';
import { allCommands, programs } from '../golden/topics/command-line.ts';
import { topics } from '../golden/topics.ts';

/** Stages whose files belong to the stack, or which write state only, with the topic of what users see of them. */
const elsewhere: Readonly<Record<string, string>> = {
  preflight: 'server-checks',
  images: 'stack',
  secrets: 'server-commands',
  stack: 'stack',
  models: 'engines',
  smoke: 'server-checks',
};

describe('the golden files', () => {
  it('use one folder for each topic', () => {
    expect(readdirSync(goldenFolder).sort()).toEqual(Object.keys(topics).sort());
  });

  it.each(Object.entries(programs))(
    'contain the help of every command of the %s',
    (name, program) => {
      const lines = new Set(readGolden('help').get(`${name}.en.txt`)?.split('\n'));
      const missing = allCommands(program())
        .map(([call]) => `${call} --help`)
        .filter((call) => !lines.has(heading(call)));
      expect(missing, 'run `npm run golden`').toEqual([]);
    },
  );

  it.each(stageNames)('contain the files of the stage %s', (stage) => {
    const topic = elsewhere[stage] ?? 'stage-files';
    const names = [...readGolden(topic).keys()];
    const own =
      topic === 'stage-files' ? names.filter((name) => name.startsWith(`${stage}/`)) : names;
    const advice = 'add the files of the stage to test/golden/topics/server-files.ts';
    expect(own.length, advice).toBeGreaterThan(0);
  });
});
