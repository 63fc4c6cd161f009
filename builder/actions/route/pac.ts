import { LandfallError } from '#contract/errors.ts';
import { pacFile } from '#proxy-settings/pac.ts';
import type { CommandContext } from '../context.ts';
import { routeFiles } from './route-files.ts';
import { readRouteSettings } from './route-settings.ts';

/** Prints a PAC file for the proxy of this user. @throws LandfallError CONFIG_MISSING */
export async function routePacAction({ env, stdout }: CommandContext): Promise<void> {
  const route = await readRouteSettings(routeFiles(env));
  if (route === undefined) {
    throw new LandfallError('CONFIG_MISSING', 'no proxy is set', {
      hint: 'Run `landfall route on http://host:port` first.',
    });
  }
  stdout.write(pacFile(route.url, route.exempt));
}
