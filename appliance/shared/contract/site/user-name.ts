import { z } from 'zod';

/**
 * Accounts and groups of Debian and Ubuntu (base-passwd), and those of packages on every server.
 * Their IDs are below 1000, so a normal user cannot use these names.
 */
const systemNames = [
  ...['root', 'daemon', 'bin', 'sys', 'sync', 'games', 'man', 'lp', 'mail', 'news', 'uucp'],
  ...['proxy', 'www-data', 'backup', 'list', 'irc', 'gnats', 'nobody', 'nogroup'],
  ...['adm', 'tty', 'disk', 'kmem', 'dialout', 'fax', 'voice', 'cdrom', 'floppy', 'tape', 'sudo'],
  ...['audio', 'dip', 'operator', 'src', 'shadow', 'utmp', 'video', 'sasl', 'plugdev', 'staff'],
  ...['users', 'input', 'sgx', 'clock', 'kvm', 'render', 'crontab', 'netdev', 'lxd', 'docker'],
  ...['messagebus', 'sshd', 'ssh_keys', 'syslog', 'tcpdump', 'tss', 'uuidd', 'rdma', 'landscape'],
  ...['pollinate', 'polkitd', 'usbmux', 'dnsmasq', 'dhcpcd', 'ntp', 'ntpsec', 'chrony'],
  'fwupd-refresh',
];
const reserved = new Set(systemNames);

/** systemd's accounts, and the underscore prefix of Debian's new system accounts. */
const reservedPrefix = /^(?:systemd-|_)/;

/** The name of a user account. useradd(8) rejects other names, but only on the server. */
export const userName = z
  .string()
  .regex(/^[a-z_][a-z0-9_-]{0,31}$/, {
    error: 'must be a Linux user name of lower-case letters, digits, _ and -',
    abort: true,
  })
  .refine(
    (name) => !reserved.has(name) && !reservedPrefix.test(name),
    'is the name of a system account or group; choose another one',
  );
