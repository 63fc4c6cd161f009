/** A kernel setting as a path below /proc/sys. */
export interface Setting {
  readonly key: string;
  readonly value: string;
}

/**
 * Of the kernel as a whole. Nothing here stops Docker, which turns forwarding on, nor debuggers of
 * one's own processes. Left out of what baselines ask: strict reverse paths, which cut servers with
 * two networks off, and logging of martians, which fills the log.
 */
const ofKernel: Readonly<Record<string, string>> = {
  // What helps an attacker aim.
  'kernel/kptr_restrict': '2',
  'kernel/dmesg_restrict': '1',
  'kernel/randomize_va_space': '2',
  'kernel/yama/ptrace_scope': '1',
  'kernel/unprivileged_bpf_disabled': '1',
  'net/core/bpf_jit_harden': '2',
  'dev/tty/ldisc_autoload': '0',
  // Sync, remount read-only, reboot: what saves a disk from a console, and nothing more.
  'kernel/sysrq': '176',
  // No memory of a crashed program on a disk.
  'kernel/core_pattern': '|/bin/false',
  'kernel/core_uses_pid': '1',
  'fs/suid_dumpable': '0',
  // Traps in folders that everybody writes to.
  'fs/protected_hardlinks': '1',
  'fs/protected_symlinks': '1',
  'fs/protected_fifos': '2',
  'fs/protected_regular': '2',
  // A model stays in memory; swap is for what nobody uses.
  'vm/swappiness': '10',
};

/** Of a network namespace, so a container has its own. */
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
 * What is to be set. Docker turns IPv6 forwarding on, and a kernel that forwards stops listening to
 * routers, which takes the default route away from servers that have it from there: their interfaces
 * get `accept_ra` 2, which listens all the same.
 * @param interfaces the network interfaces that listen to routers
 * @param container whether the kernel is somebody else's
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

/** A file of sysctl.d(5). The slashes keep dots in names of interfaces what they are. */
export function sysctlText(settings: readonly Setting[]): string {
  const lines = settings.map(({ key, value }) => `${key} = ${value}`);
  return ['# Made by Landfall. What comes in a later file counts more.', ...lines, ''].join('\n');
}

/** For those that are there and those to come. */
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
