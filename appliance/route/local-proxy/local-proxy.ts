import { LandfallError } from '#contract/errors.ts';
import type { Site } from '#contract/site/site.ts';
import { localProxy } from '#proxy-settings/local-proxy.ts';
import { isFile, readText, removeFile, writeText } from '../../host/files.ts';
import type { Host } from '../../host/host.ts';
import { installPackages, missingPackages } from '../../host/packages/apt.ts';
import { isActive, isEnabled } from '../../host/systemd.ts';
import type { Context } from '../../stage/stage.ts';
import {
  localProxyFile,
  localProxyUnit,
  localProxyUnitFile,
  renderLocalProxy,
  renderLocalProxyUnit,
} from './render.ts';

/** The program without the service of the package tinyproxy, which would listen on all addresses. */
const packageName = 'tinyproxy-bin';

interface Input {
  readonly host: Host;
  readonly site: Pick<Site, 'route'>;
}

/** Returns the packages that {@link applyLocalProxy} would install. */
export async function missingForLocalProxy({ host, site }: Input): Promise<string[]> {
  return filesOf(site).length === 0 ? [] : await missingPackages(host, [packageName]);
}

/** Returns what {@link applyLocalProxy} would do, one line per action. */
export async function localProxyTodo({ host, site }: Input): Promise<string[]> {
  const files = filesOf(site);
  if (files.length === 0) return (await isPresent(host)) ? ['remove the local HTTP proxy'] : [];
  const missing = await missingForLocalProxy({ host, site });
  const right = missing.length === 0 && (await areWritten(host, files));
  return [
    ...missing.map((name) => `install ${name}`),
    ...(right && (await isRunning(host)) ? [] : [`start an HTTP proxy at ${address}`]),
  ];
}

/**
 * Installs and starts the HTTP proxy of a SOCKS5 route, or removes it. apt must already use the route.
 * @throws LandfallError APT_FAILED
 */
export async function applyLocalProxy({ host, site, report }: Context): Promise<void> {
  const files = filesOf(site);
  if (files.length === 0) return await removeLocalProxy(host);
  if ((await missingForLocalProxy({ host, site })).length > 0) {
    await installPackages(host, [packageName], (line) => report.say(line));
  }
  if ((await areWritten(host, files)) && (await isRunning(host))) return;
  for (const { path, text, mode } of files) await writeText(host, path, text, { mode });
  await host.run('systemctl', ['daemon-reload']);
  await host.run('systemctl', ['enable', '--quiet', localProxyUnit]);
  await host.run('systemctl', ['restart', localProxyUnit]);
}

/** Stops the HTTP proxy and removes its files. The program stays installed. */
export async function removeLocalProxy(host: Host): Promise<void> {
  if (!(await isPresent(host))) return;
  await host.run('systemctl', ['disable', '--now', '--quiet', localProxyUnit]);
  await removeFile(host, localProxyUnitFile);
  await removeFile(host, localProxyFile);
  await host.run('systemctl', ['daemon-reload']);
}

/** Verifies that the HTTP proxy of a SOCKS5 route runs. @throws LandfallError ROUTE_BLOCKED */
export async function proveLocalProxy({ host, site }: Input): Promise<void> {
  if (site.route.mode !== 'socks5' || (await isActive(host, localProxyUnit))) return;
  throw new LandfallError('ROUTE_BLOCKED', `the HTTP proxy at ${address} is not running`, {
    hint: `Check: sudo journalctl -u ${localProxyUnit}. Another program may use the port.`,
  });
}

const address = `${localProxy.host}:${localProxy.port}`;

function filesOf({ route }: Pick<Site, 'route'>) {
  if (route.mode !== 'socks5') return [];
  return [
    { path: localProxyFile, text: renderLocalProxy(route.url), mode: 0o600 },
    { path: localProxyUnitFile, text: renderLocalProxyUnit(), mode: 0o644 },
  ];
}

async function areWritten(host: Host, files: ReturnType<typeof filesOf>): Promise<boolean> {
  const right = files.map(({ path, text, mode }) => isFile(host, path, text, { mode }));
  return !(await Promise.all(right)).includes(false);
}

async function isRunning(host: Host): Promise<boolean> {
  return (await isActive(host, localProxyUnit)) && (await isEnabled(host, localProxyUnit));
}

/** An interrupted removal leaves the settings. */
async function isPresent(host: Host): Promise<boolean> {
  const texts = [await readText(host, localProxyUnitFile), await readText(host, localProxyFile)];
  return texts.some((text) => text !== undefined);
}
