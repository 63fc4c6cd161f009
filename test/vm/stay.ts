import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Afterwards, runOnSignals } from '../setup/afterwards.ts';
import { prepare } from '../setup/prepare.ts';
import { prepareTrueHost } from '../setup/prepare-true-host.ts';
import { sayOnScreen } from '../setup/say.ts';

/*
 * node test/vm/stay.ts [--preinstalled]
 *
 * Boots a server in qemu from real user-data, with the program of this tree in its bundle, shows
 * its console, and keeps it until Ctrl-C. Lines that are typed run on it, as root.
 */
const preinstalled = process.argv.includes('--preinstalled');
const afterwards = new Afterwards();
runOnSignals(afterwards);
Object.assign(
  process.env,
  await prepare(sayOnScreen, afterwards),
  await prepareTrueHost({ preinstalled }, sayOnScreen),
);
