/** A kernel setting as a path below /proc/sys. */
export interface Setting {
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
