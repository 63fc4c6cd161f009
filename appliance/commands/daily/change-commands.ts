import { rootCommand, serverContext } from '../command.ts';

// The code is loaded on demand: a first boot needs none of it, and has little memory.

const restartHelp = `
Says first what is interrupted, waits up to a minute for answers that the chat UI is writing, and then until
the component is healthy. Without a name it restarts all components in the order of their dependencies,
except those that were stopped.

Example:
  sudo landfall restart ui
  sudo landfall restart --yes
`;

/** `landfall restart`: restarts a component, or all. */
export function restartCommand() {
  return rootCommand('restart')
    .description('restart a component, or all, and wait until they are healthy')
    .argument('[component]', 'such as ui; default: all')
    .option('--yes', 'do not ask')
    .addHelpText('after', restartHelp)
    .action(async (component, { yes = false }) => {
      const { restart } = await import('./change-stack.ts');
      await restart(await serverContext(), component, yes);
    });
}

const stopHelp = `
The component stays stopped after a reboot, and is no fault for status and doctor. It starts again with
landfall start, landfall first-boot, an update, and a command that changes the settings of the stack.

Example:
  sudo landfall stop chat
`;

/** `landfall stop`: stops a component until it is started. */
export function stopCommand() {
  return rootCommand('stop')
    .description('stop a component until it is started')
    .argument('<component>', 'such as chat')
    .option('--yes', 'do not ask')
    .addHelpText('after', stopHelp)
    .action(async (component, { yes = false }) => {
      const { stop } = await import('./change-stack.ts');
      await stop(await serverContext(), component, yes);
    });
}

const startHelp = `
Without a name it starts all components that do not run.

Example:
  sudo landfall start chat
  sudo landfall start
`;

/** `landfall start`: starts a component that was stopped, or all. */
export function startCommand() {
  return rootCommand('start')
    .description('start a component, or all, and wait until they are healthy')
    .argument('[component]', 'such as chat; default: all')
    .addHelpText('after', startHelp)
    .action(async (component) => {
      const { start } = await import('./change-stack.ts');
      await start(await serverContext(), component);
    });
}
