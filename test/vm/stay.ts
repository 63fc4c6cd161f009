import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as sleep } from 'node:timers/promises';
import { Afterwards, runOnSignals } from '../setup/afterwards.ts';
import { prepare } from '../setup/prepare.ts';
import { sayOnScreen } from '../setup/say.ts';
import { runFolder } from '../setup/workspace.ts';
import { needsOf } from '../suites/needs.ts';
import type { TrueServer } from './true-server.ts';

/*
 * node builder/bin/run.mjs test/vm/stay.ts [--preinstalled]
 *
 * Boots a server in qemu from real user-data, with the program of this tree in its bundle, shows
 * its console and keeps it running until Ctrl-C. Each input line runs on the server as root; `cut`
 * cuts its power and restores it.
 */
const preinstalled = process.argv.includes('--preinstalled');
const afterwards = new Afterwards();
runOnSignals(afterwards);
Object.assign(
  process.env,
  await prepare(needsOf(['test/vm/rig.ts'], ['debian13']), afterwards, {
    trueHost: { preinstalled },
  }),
);
// Imported late: the module reads the prepared dependencies when it is loaded.
const { Rig } = await import('./rig.ts');

const rig = await Rig.open(join(runFolder(), 'vm'));
afterwards.add(() => rig.close());
const server = await rig.server({ name: 'stay' });
await server.powerOn();
sayOnScreen(
  'ssh',
  `ssh -i ${rig.administrator.identity} -p ${await server.forward(22)} ops@127.0.0.1`,
);
const lines = createInterface({ input: process.stdin });
lines.on('line', (line) => void obey(server, line).catch(console.error));
await showConsole(server);

async function obey(machine: TrueServer, line: string): Promise<void> {
  if (line === 'cut') {
    console.log(await machine.powerCut());
    return await machine.powerOn();
  }
  const { exitCode, stdout, stderr } = await machine.run(line);
  console.log(`${stdout}${stderr}[${exitCode}]`);
}

async function showConsole(machine: TrueServer): Promise<never> {
  for (let shown = 0; ; await sleep(200)) {
    const text = await machine.console.text();
    process.stdout.write(text.slice(shown));
    shown = text.length;
  }
}
