import { readdir } from 'node:fs/promises';
import type { Problem } from '#contract/errors.ts';
import { isMissing } from '#files/open-regular.ts';
import { readText } from '../host/files.ts';
import type { Host } from '../host/host.ts';
import { install, isInPlace, type Service } from '../host/service.ts';
import type { Context } from '../stage/stage.ts';
import type { KernelMeasure } from './measure.ts';
import { type Setting, settingsFor, sysctlText } from './sysctl-settings.ts';

export const sysctlFile = 'etc/sysctl.d/90-landfall.conf';

/** Applies kernel settings; in a container, only those of its network namespace. */
export const sysctls: KernelMeasure = { check, apply, prove };

async function check(context: Context): Promise<string[]> {
  const settings = await existing(context);
  const wrong = await notInEffect(context.host, settings);
  const isWritten = await isInPlace(context.host, fileOf(settings));
  if (isWritten && wrong.length === 0) return [];
  return [
    `set ${settings.length} kernel settings in /${sysctlFile}, ${wrong.length} of them changed`,
  ];
}

async function apply(context: Context): Promise<void> {
  const { host } = context;
  await install(host, fileOf(await existing(context)));
  // Only our file: the others were applied at boot.
  await host.run('/lib/systemd/systemd-sysctl', [host.path(sysctlFile)]);
}

async function prove(context: Context): Promise<Problem[]> {
  const wrong = await notInEffect(context.host, await existing(context));
  return wrong.map(({ key, value, actual }) => ({
    message: `${key} is ${actual}, not ${value}`,
    hint: 'Check for other files that set it: systemd-analyze cat-config sysctl.d',
  }));
}

function fileOf(settings: readonly Setting[]): Service {
  return { files: [{ path: sysctlFile, text: sysctlText(settings) }] };
}

/** Returns the settings that this kernel has: IPv6 or a security module may be missing. */
async function existing({ host, server }: Context): Promise<Setting[]> {
  const settings = settingsFor({
    interfaces: await listeningInterfaces(host),
    container: server.container !== undefined,
  });
  const values = await Promise.all(settings.map(({ key }) => effective(host, key)));
  return settings.filter((_, index) => values[index] !== undefined);
}

async function notInEffect(host: Host, settings: readonly Setting[]) {
  const values = await Promise.all(
    settings.map(async (setting) => ({ ...setting, actual: await effective(host, setting.key) })),
  );
  return values.filter(({ value, actual }) => actual !== value);
}

async function effective(host: Host, key: string): Promise<string | undefined> {
  return (await readText(host, `proc/sys/${key}`))?.trim();
}

/** Returns interfaces with `accept_ra` 1 (unless forwarding) or 2 (set by us), without Docker's. */
async function listeningInterfaces(host: Host): Promise<string[]> {
  const folder = 'proc/sys/net/ipv6/conf';
  const names = await readdir(host.path(folder)).catch((error: unknown) => {
    if (isMissing(error)) return [];
    throw error;
  });
  const own = names.filter((name) => !/^(?:all|default|lo|docker.*|br-.*|veth.*)$/.test(name));
  const values = await Promise.all(
    own.map((name) => effective(host, `${folder.slice(9)}/${name}/accept_ra`)),
  );
  return own.filter((_, index) => values[index] === '1' || values[index] === '2').sort();
}
