import { spawn } from 'node:child_process';

/** Returns the command that opens a URL on a platform; undefined without a desktop. */
export function browserCommand(
  platform: NodeJS.Platform,
  env: NodeJS.ProcessEnv,
): readonly string[] | undefined {
  if (platform === 'darwin') return ['open'];
  if (platform === 'win32') return ['cmd', '/c', 'start', ''];
  // Without a display, xdg-open may start a browser for text in this terminal.
  return env.DISPLAY || env.WAYLAND_DISPLAY ? ['xdg-open'] : undefined;
}

/** Opens a URL in the user's browser. Ignores failures, because the URL is printed too. */
export function openBrowser(url: string, env: NodeJS.ProcessEnv): void {
  const [command, ...args] = browserCommand(process.platform, env) ?? [];
  if (command === undefined) return;
  const child = spawn(command, [...args, url], { env, detached: true, stdio: 'ignore' });
  child.once('error', () => {});
  child.unref();
}
