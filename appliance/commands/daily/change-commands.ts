import { inLanguage, type Text } from '#contract/text/language.ts';
import { rootCommand, serverContext } from '../command.ts';

// The code is loaded on demand: a first boot needs none of it, and has little memory.

const restartHelp: Text = {
  en: `
Says first what is interrupted, waits up to a minute for answers that the chat UI is writing, and then until
the component is healthy. Without a name it restarts all components in the order of their dependencies,
except those that were stopped.

Example:
  sudo landfall restart ui
  sudo landfall restart --yes
`,
  zh: `
先说明会中断什么，最多等一分钟让聊天界面写完正在生成的回答，然后等待组件
恢复正常。不写名称时，按依赖顺序重启所有组件，之前停止的除外。

示例：
  sudo landfall restart ui
  sudo landfall restart --yes
`,
};

/** `landfall restart`: restarts a component, or all. */
export function restartCommand() {
  return rootCommand('restart')
    .description('restart a component, or all, and wait until they are healthy')
    .argument('[component]', 'such as ui; default: all')
    .option('--yes', 'do not ask')
    .addHelpText('after', inLanguage(restartHelp))
    .action(async (component, { yes = false }) => {
      const { restart } = await import('./change-stack.ts');
      await restart(await serverContext(), component, yes);
    });
}

const stopHelp: Text = {
  en: `
The component stays stopped after a reboot, and is no fault for status and doctor. It starts again with
landfall start, landfall first-boot, an update, and a command that changes the settings of the stack.

Example:
  sudo landfall stop chat
`,
  zh: `
重启服务器后，组件仍保持停止；status 和 doctor 不把它当作故障。
landfall start、landfall first-boot、更新，以及更改组件设置的命令会再次启动它。

示例：
  sudo landfall stop chat
`,
};

/** `landfall stop`: stops a component until it is started. */
export function stopCommand() {
  return rootCommand('stop')
    .description('stop a component until it is started')
    .argument('<component>', 'such as chat')
    .option('--yes', 'do not ask')
    .addHelpText('after', inLanguage(stopHelp))
    .action(async (component, { yes = false }) => {
      const { stop } = await import('./change-stack.ts');
      await stop(await serverContext(), component, yes);
    });
}

const startHelp: Text = {
  en: `
Without a name it starts all components that do not run.

Example:
  sudo landfall start chat
  sudo landfall start
`,
  zh: `
不写名称时，启动所有没有运行的组件。

示例：
  sudo landfall start chat
  sudo landfall start
`,
};

/** `landfall start`: starts a component that was stopped, or all. */
export function startCommand() {
  return rootCommand('start')
    .description('start a component, or all, and wait until they are healthy')
    .argument('[component]', 'such as chat; default: all')
    .addHelpText('after', inLanguage(startHelp))
    .action(async (component) => {
      const { start } = await import('./change-stack.ts');
      await start(await serverContext(), component);
    });
}
