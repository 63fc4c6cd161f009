import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { composeFolder } from '#contract/bundle/bundle-paths.ts';
import { stackFolder } from '#contract/server-paths.ts';
import { readText } from '../../server/host/files.ts';
import type { Host } from '../../server/host/host.ts';
import type { CommandOptions, CommandResult } from '../../server/host/run/command.ts';
import { overridesFile } from './render-stack.ts';

/** An empty client configuration: a user's own one could add proxy variables to containers. */
const clientFolder = 'etc/landfall/docker';

/** The rendered files that Compose itself reads. */
export const composeFiles: readonly string[] = ['.env', overridesFile];

interface ComposeOptions extends CommandOptions {
  /** The folder with {@link composeFiles}, relative to the root folder. Default: that of the stack. */
  readonly stack?: string;
  /** Whether `compose.yaml` is read alone. */
  readonly alone?: boolean;
}

/**
 * Runs Docker Compose on the stack of a release, with the values of the site.
 * @throws LandfallError COMMAND_FAILED
 */
export async function compose(
  host: Host,
  releaseFolder: string,
  args: readonly string[],
  { stack = stackFolder, alone = false, ...options }: ComposeOptions = {},
): Promise<CommandResult> {
  const folder = join(releaseFolder, composeFolder);
  const overrides = alone ? '' : ((await readText(host, `${stack}/${overridesFile}`)) ?? '');
  // A custom stack may lack some of these files.
  const present = overrides.split('\n').filter((line) => line && existsSync(join(folder, line)));
  const files = ['compose.yaml', ...present];
  const fixed = [
    ...['--project-directory', folder, ...files.flatMap((name) => ['--file', join(folder, name)])],
    ...['--env-file', host.path(stack, '.env'), '--ansi', 'never', '--progress', 'plain'],
  ];
  return await host.run('docker', ['compose', ...fixed, ...args], {
    ...options,
    env: { DOCKER_CONFIG: `/${clientFolder}`, ...options.env },
  });
}

/** Returns the services that the site runs permanently, by name in `compose.yaml`. */
export async function wantedServices(host: Host, releaseFolder: string): Promise<string[]> {
  const { stdout } = await compose(host, releaseFolder, ['config', '--services']);
  return stdout.split('\n').filter((line) => line !== '');
}

/**
 * Reloads the gateway's configuration without closing connections. The signal is sent from inside of
 * the container: after `docker kill` with any signal, Docker treats the container as stopped by hand
 * and does not start it at the next boot.
 */
export async function reloadGateway(host: Host): Promise<void> {
  await host.run('docker', ['exec', 'landfall-gateway', 'kill', '-HUP', '1']);
}
