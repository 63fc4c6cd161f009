import { globSync, readFileSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { Afterwards, runOnSignals } from '../setup/afterwards.ts';
import { prepare } from '../setup/prepare.ts';
import { sayOnScreen } from '../setup/say.ts';
import { runFolder } from '../setup/workspace.ts';
import { needsOf } from '../suites/needs.ts';
import { printResult } from '../summary/announce.ts';
import { runVitest } from '../summary/run-vitest.ts';
import { cutsVariable, inARowVariable } from './command/cuts.ts';
import { folderVariable } from './command/folder.ts';
import { readVmSelection, usage, type VmSelection } from './command/selection.ts';

// `npm run test:vm`: servers with their own kernel, in qemu.
const selection = readVmSelection(process.argv.slice(2));
const afterwards = new Afterwards();
runOnSignals(afterwards);

if (selection) {
  printResult([await run(selection).finally(() => afterwards.run())]);
} else {
  console.error(usage);
  process.exitCode = 2;
}

async function run({ files, preinstalled, cuts, inARow }: VmSelection) {
  console.log('Without KVM this takes about an hour, and one file about ten minutes.');
  console.log('\n== prepare: dependencies of a server in qemu');
  const image = preinstalled
    ? 'with docker.io, ufw and fail2ban in it'
    : 'fresh: the first boot installs its packages';
  sayOnScreen('image', image);
  sayOnScreen('power cuts', `during ${cuts.join(', ')}${inARow ? ', of one server' : ''}`);
  const prepared = await prepare(needsOf(sources(files), []), afterwards, {
    trueHost: { preinstalled },
  });
  const folder = join(runFolder(), 'vm');
  await mkdir(folder);
  const variables = {
    ...prepared,
    [cutsVariable]: cuts.join(' '),
    ...(inARow && { [inARowVariable]: 'yes' }),
    [folderVariable]: folder,
  };
  console.log('\n== tests in qemu: kernel, clock, disk and power');
  return await runVitest('vm', files, variables, afterwards);
}

/** The files of tests that a selection runs, and the rig that most of them import. */
function sources(selected: readonly string[]): string[] {
  const tests = globSync('test/vm/*.test.ts').filter(
    (file) => selected.length === 0 || selected.some((word) => file.includes(word)),
  );
  const usesRig = tests.some((file) => readFileSync(file, 'utf8').includes("'./rig.ts'"));
  return [...tests, ...(usesRig ? ['test/vm/rig.ts'] : [])];
}
