import type { Problem } from '#contract/errors.ts';
import { inLanguage } from '#contract/text/language.ts';
import { readText } from '../../server/host/files.ts';
import type { Host } from '../../server/host/host.ts';
import { install, isInPlace, type Service } from '../../server/host/service.ts';
import type { Context } from '../../server/stage/stage.ts';
import type { KernelMeasure } from './measure.ts';

export const sysctlFile = 'etc/sysctl.d/90-landfall.conf';

/** Applies kernel settings; in a container, only those of its network namespace. */
export const sysctls: KernelMeasure = { check, apply, prove };

async function check(context: Context): Promise<string[]> {
  const settings = await existing(context);
  const wrong = await notInEffect(context.host, settings);
  const isWritten = await isInPlace(context.host, fileOf(settings));
  if (isWritten && wrong.length === 0) return [];
  return [
    inLanguage({
      en: `set ${settings.length} kernel settings in /${sysctlFile}, ${wrong.length} of them changed`,
      zh: `在 /${sysctlFile} 中写入 ${settings.length} 项内核设置，其中 ${wrong.length} 项有变化`,
    }),
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
  const names = await host.namesIn(folder);
  const own = names.filter((name) => !/^(?:all|default|lo|docker.*|br-.*|veth.*)$/.test(name));
  const values = await Promise.all(
    own.map((name) => effective(host, `${folder.slice(9)}/${name}/accept_ra`)),
  );
  return own.filter((_, index) => values[index] === '1' || values[index] === '2');
}

interface Setting {
  readonly key: string;
  readonly value: string;
}

/**
 * Global settings. They do not affect Docker, which enables forwarding, or debuggers of a user's own
 * processes. Two settings of common baselines are left out: strict reverse path filtering breaks
 * servers with two networks, and logging of martians fills the log.
 */
const ofKernel: Readonly<Record<string, string>> = {
  // Hide information that helps exploits.
  'kernel/kptr_restrict': '2',
  'kernel/dmesg_restrict': '1',
  'kernel/randomize_va_space': '2',
  'kernel/yama/ptrace_scope': '1',
  'kernel/unprivileged_bpf_disabled': '1',
  'net/core/bpf_jit_harden': '2',
  'dev/tty/ldisc_autoload': '0',
  // From a console, only sync, remount read-only and reboot.
  'kernel/sysrq': '176',
  // No core dumps.
  'kernel/core_pattern': '|/bin/false',
  'kernel/core_uses_pid': '1',
  'fs/suid_dumpable': '0',
  // Protection against attacks in world-writable folders.
  'fs/protected_hardlinks': '1',
  'fs/protected_symlinks': '1',
  'fs/protected_fifos': '2',
  'fs/protected_regular': '2',
  // Models stay in memory; swap only unused pages.
  'vm/swappiness': '10',
};

/** Settings per network namespace, which a container has too. */
const ofNetwork: Readonly<Record<string, string>> = {
  ...everyInterface('ipv4', {
    accept_redirects: '0',
    secure_redirects: '0',
    send_redirects: '0',
    accept_source_route: '0',
  }),
  ...everyInterface('ipv6', { accept_redirects: '0', accept_source_route: '0' }),
  'net/ipv4/tcp_syncookies': '1',
  'net/ipv4/tcp_rfc1337': '1',
  'net/ipv4/icmp_echo_ignore_broadcasts': '1',
  'net/ipv4/icmp_ignore_bogus_error_responses': '1',
};

/**
 * Returns the settings to apply. Docker enables IPv6 forwarding, and a forwarding kernel ignores router
 * advertisements, so a server loses a default route that comes from them. `accept_ra` 2 accepts
 * advertisements despite forwarding.
 * @param interfaces the network interfaces that accept router advertisements
 * @param container whether the server is a container, without a kernel of its own
 */
export function settingsFor({
  interfaces,
  container,
}: {
  readonly interfaces: readonly string[];
  readonly container: boolean;
}): Setting[] {
  const listening = interfaces.map((name) => [`net/ipv6/conf/${name}/accept_ra`, '2'] as const);
  return [
    ...(container ? [] : Object.entries(ofKernel)),
    ...Object.entries(ofNetwork),
    ...listening,
  ].map(([key, value]) => ({ key, value }));
}

/** Renders a sysctl.d(5) file. Slashes as separators allow dots in interface names. */
export function sysctlText(settings: readonly Setting[]): string {
  const lines = settings.map(({ key, value }) => `${key} = ${value}`);
  return ['# Made by Landfall. Later files override this one.', ...lines, ''].join('\n');
}

/** Returns the settings for existing (`all`) and future (`default`) interfaces. */
function everyInterface(
  family: 'ipv4' | 'ipv6',
  settings: Readonly<Record<string, string>>,
): Record<string, string> {
  const entries = Object.entries(settings);
  return Object.fromEntries(
    ['all', 'default'].flatMap((name) =>
      entries.map(([key, value]) => [`net/${family}/conf/${name}/${key}`, value]),
    ),
  );
}
