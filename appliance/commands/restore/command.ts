import { InvalidArgumentError } from 'commander';
import { installedRelease } from '../../server/stage/installed.ts';
import { exampleText, rootCommand, serverFacts } from '../command.ts';
import { maxPause } from '../update/command.ts';
import type { RestoreFlags } from './on-this-server.ts';

// The code is loaded on demand: a first boot needs none of it, and has little memory.

/** `landfall restore`: brings a backup back, also to a new server. */
export function restoreCommand() {
  return rootCommand('restore')
    .description('bring a backup back, to this server or to a new one')
    .argument('[backup]', 'ID of the backup; default: the newest one')
    .option('--from <number>', 'the target in the site, from 1; default: the first one', readNumber)
    .option('--undo', 'go back to the chats of before the last restore')
    .option('--yes', 'do not ask')
    .addOption(maxPause())
    .addHelpText('after', exampleText('sudo landfall restore', 'sudo landfall restore 4bba301e'))
    .action(restore);
}

async function restore(backup: string | undefined, flags: RestoreFlags): Promise<void> {
  const facts = await serverFacts();
  if ((await installedRelease(facts.host)) === undefined) {
    const { restoreOnNewServer } = await import('./on-new-server.ts');
    return await restoreOnNewServer(facts, backup);
  }
  const { restoreHere } = await import('./on-this-server.ts');
  await restoreHere(facts, backup, flags);
}

function readNumber(text: string): number {
  if (/^[1-9]$/.test(text)) return Number(text);
  throw new InvalidArgumentError('It must be a number from 1 to 9.');
}
