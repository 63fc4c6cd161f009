import { pacFile } from '#proxy-settings/pac.ts';
import type { CommandContext } from '../context.ts';
import { noProxySet } from './no-proxy-set.ts';
import { routeFiles } from './route-files.ts';
import { readRouteSettings } from './route-settings.ts';

/** Prints a PAC file for the proxy of this user. @throws LandfallError CONFIG_MISSING */
export async function routePacAction({ env, stdout }: CommandContext): Promise<void> {
  const route = await readRouteSettings(routeFiles(env));
  if (route === undefined) throw noProxySet();
  stdout.write(pacFile(route.url, route.exempt));
}
