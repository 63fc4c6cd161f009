import { Command } from 'commander';
import { commandGroup, exampleText, serverContext } from '../command.ts';

// The code is loaded on demand: most servers have no tunnel.

/** `landfall access`: the devices that reach the chat through WireGuard. */
export function accessCommand() {
  const list = new Command('list')
    .description('show each device: address, source, last connection (default)')
    .option('--json', 'print it as JSON')
    .action(async (flags) => {
      const { listDevices } = await import('./list.ts');
      await listDevices(await serverContext(), flags);
    });
  return commandGroup('access', list, [addCommand(), removeCommand()])
    .description('devices that reach the chat through WireGuard: add, show and remove them')
    .addHelpText(
      'after',
      exampleText('sudo landfall access add phone', 'sudo landfall access remove phone'),
    );
}

function addCommand() {
  return new Command('add')
    .description('make a configuration for a device, and show it once')
    .argument('<device>', 'a new name, such as phone')
    .option('--json', 'print it as JSON')
    .action(async (device, flags) => {
      const { addDevice } = await import('./change.ts');
      await addDevice(await serverContext(), device, flags);
    });
}

function removeCommand() {
  return new Command('remove')
    .description('end the access of a device for good')
    .argument('<device>', 'such as phone')
    .option('--yes', 'do not ask for confirmation')
    .option('--json', 'print the result as JSON')
    .action(async (device, flags) => {
      const { removeDevice } = await import('./change.ts');
      await removeDevice(await serverContext(), device, flags);
    });
}
