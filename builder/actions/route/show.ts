import { noProxyText } from '#proxy-settings/exemptions.ts';
import { maskedUrl } from '#proxy-settings/masked-url.ts';
import { proxyVariables, variableNames } from '#proxy-settings/variables.ts';
import type { CommandContext } from '../context.ts';
import { isMarked } from './edit-startup-file.ts';
import { type RouteFiles, routeFiles } from './route-files.ts';
import { type RouteSettings, readRouteSettings } from './route-settings.ts';
import { startupFiles } from './startup-files.ts';

/** Shows the proxy of this user, without its password. @throws LandfallError CONFIG_INVALID */
export async function routeShowAction(
  { env, stdout }: CommandContext,
  { json }: { readonly json?: boolean },
): Promise<void> {
  const files = routeFiles(env);
  const route = await readRouteSettings(files);
  const shown = await describe(env, files, route);
  stdout.write(json ? `${JSON.stringify(shown)}\n` : textOf(shown));
}

/** What `landfall route show --json` prints. */
interface ShownRoute {
  /** Without a password; null if none is set. */
  readonly proxy: string | null;
  readonly noProxy: string | null;
  readonly startupFiles: readonly string[];
  /** Whether the shell that runs the command uses this proxy, another one, or none. */
  readonly thisShell: 'on' | 'off' | 'another proxy';
}

async function describe(
  env: NodeJS.ProcessEnv,
  files: RouteFiles,
  route: RouteSettings | undefined,
): Promise<ShownRoute> {
  const noProxy = route && noProxyText(route.exempt);
  const starts = startupFiles(env, files).map(({ path }) => path);
  const marked = await Promise.all(starts.map(isMarked));
  const wanted = route && noProxy ? proxyVariables({ url: route.url, noProxy }) : {};
  const present = variableNames.filter((name) => !/no_proxy/i.test(name) && env[name]);
  const isOn = present.length > 0 && present.every((name) => env[name] === wanted[name]);
  return {
    proxy: route ? maskedUrl(route.url) : null,
    noProxy: noProxy ?? null,
    startupFiles: starts.filter((_, index) => marked[index]),
    thisShell: isOn ? 'on' : present.length > 0 ? 'another proxy' : 'off',
  };
}

function textOf({ proxy, noProxy, startupFiles, thisShell }: ShownRoute): string {
  const lines = proxy
    ? [
        `proxy          ${proxy}`,
        `no_proxy       ${noProxy}`,
        `startup files  ${startupFiles.join(', ') || 'none'}`,
      ]
    : ['proxy          none'];
  return `${[...lines, `this shell     ${thisShell}`].join('\n')}\n`;
}
