import { rmdir } from 'node:fs/promises';
import { dirname } from 'node:path';
import { isOnLoopback } from '#contract/site/network/socks.ts';
import type { Site } from '#contract/site/site.ts';
import { isFile, readText, removeFile, writeText } from '../../host/files.ts';
import type { Host } from '../../host/host.ts';
import { installPackages, missingPackages } from '../../host/packages/apt.ts';
import { makeSecret, readOrMakeSecret, readSecret } from '../../host/secret-file.ts';
import { socksPassword } from '../../host/socks-password.ts';
import { isActive, isEnabled } from '../../host/systemd.ts';
import type { Context } from '../../stage/stage.ts';
import { renderGuard } from './render-guard.ts';
import {
  guardFile,
  loginFile,
  renderGuardDropIn,
  renderLogin,
  renderSocksUnit,
  socksUnit,
} from './render-unit.ts';

const packages = ['nftables', 'microsocks'];
const unitFile = `etc/systemd/system/${socksUnit}`;
const dropInFile = 'etc/systemd/system/nftables.service.d/landfall-socks.conf';
const allFiles = [loginFile, guardFile, dropInFile, unitFile];

interface Input {
  readonly host: Host;
  readonly site: Pick<Site, 'socks'>;
}

/** Returns the packages that {@link applySocks} would install. */
export async function missingForSocks({ host, site: { socks } }: Input): Promise<string[]> {
  return socks ? await missingPackages(host, packages) : [];
}

/** Returns what {@link applySocks} would do, one line per action. */
export async function socksTodo({ host, site: { socks } }: Input): Promise<string[]> {
  if (!socks) return (await isPresent(host)) ? ['remove the SOCKS5 server'] : [];
  const missing = await missingPackages(host, packages);
  const password = isOnLoopback(socks) ? '' : await readSecret(host, socksPassword.name);
  const right =
    missing.length === 0 && password !== undefined && (await isInPlace(host, socks, password));
  return [
    ...missing.map((name) => `install ${name}`),
    ...(right ? [] : [`start a SOCKS5 server at ${endpointOf(socks)}`]),
  ];
}

/**
 * Installs and starts the SOCKS5 server of the site, or removes it. Idempotent.
 * @throws LandfallError APT_FAILED
 */
export async function applySocks({ host, site: { socks }, report }: Context): Promise<void> {
  if (!socks) return await removeSocks(host);
  if ((await missingPackages(host, packages)).length > 0) {
    await installPackages(host, packages, (line) => report.say(line));
  }
  const { name, generate } = socksPassword;
  const password = isOnLoopback(socks)
    ? ''
    : await readOrMakeSecret(host, name, () => makeSecret(generate));
  if (await isInPlace(host, socks, password)) return;
  for (const { path, text, mode } of filesOf(socks, password)) {
    if (text === undefined) await removeFile(host, path);
    else await writeText(host, path, text, { mode });
  }
  await host.run('systemctl', ['daemon-reload']);
  await host.run('systemctl', ['enable', '--quiet', socksUnit]);
  await host.run('systemctl', ['restart', socksUnit]);
}

/** Stops the SOCKS5 server and removes its rules and files. Packages and password stay. */
export async function removeSocks(host: Host): Promise<void> {
  if (!(await isPresent(host))) return;
  if ((await readText(host, unitFile)) !== undefined) {
    await host.run('systemctl', ['disable', '--now', '--quiet', socksUnit]);
  }
  for (const path of allFiles) await removeFile(host, path);
  // The firewall has a file in the same folder.
  await rmdir(host.path(dirname(dropInFile))).catch(() => undefined);
  await host.run('systemctl', ['daemon-reload']);
}

/** Returns address and port of the SOCKS5 server. */
export function endpointOf({ listen, port }: NonNullable<Site['socks']>): string {
  return listen.includes(':') ? `[${listen}]:${port}` : `${listen}:${port}`;
}

function filesOf(socks: NonNullable<Site['socks']>, password: string) {
  const login = isOnLoopback(socks) ? undefined : renderLogin(socks, password);
  return [
    { path: loginFile, text: login, mode: 0o600 },
    { path: guardFile, text: renderGuard(), mode: 0o644 },
    { path: dropInFile, text: renderGuardDropIn(), mode: 0o644 },
    { path: unitFile, text: renderSocksUnit(socks), mode: 0o644 },
  ];
}

async function isInPlace(
  host: Host,
  socks: NonNullable<Site['socks']>,
  password: string,
): Promise<boolean> {
  for (const { path, text, mode } of filesOf(socks, password)) {
    if (text === undefined) {
      if ((await readText(host, path)) !== undefined) return false;
    } else if (!(await isFile(host, path, text, { mode }))) return false;
  }
  // Inactive while its address does not exist: systemd starts it again every few seconds.
  return (await isEnabled(host, socksUnit)) && !(await isStopped(host));
}

async function isStopped(host: Host): Promise<boolean> {
  if (await isActive(host, socksUnit)) return false;
  const { stdout } = await host.run('systemctl', ['show', '--property=ActiveState', socksUnit]);
  return !stdout.includes('=activating');
}

async function isPresent(host: Host): Promise<boolean> {
  const texts = await Promise.all(allFiles.map((path) => readText(host, path)));
  return texts.some((text) => text !== undefined);
}
