import type { Text } from '#contract/text/language.ts';
import { plainLine } from '#contract/text/plain-line.ts';
import { anyCode, type Host } from './host.ts';

/** Programs that Landfall runs on the server itself, by the names that their profiles have or would have. */
const ours: ReadonlySet<string> = new Set([
  ...['tinyproxy', 'microsocks', 'redsocks', 'sing-box', 'wg', 'wg-quick', 'unix-chkpwd'],
  ...['tar', 'restic', 'fail2ban-server', 'dockerd', 'containerd'],
]);

/** A file that AppArmor kept from a program (aa-status(8), auditd(8)). */
interface Denial {
  /** The profile without its parts: `wg-quick`, also for `wg-quick//ip`. */
  readonly profile: string;
  readonly path: string;
  /** The name of the process, such as `readlink`. */
  readonly program: string;
  /** What the program wanted: letters of apparmor.d(5), such as `r`. */
  readonly mask: string;
}

/**
 * Returns the files that AppArmor kept from programs of ours in the last day, each once, from the log of
 * the kernel. Denials without a path, such as of a socket or a capability, do not count.
 */
export async function denialsOf(host: Host): Promise<Denial[]> {
  const filter = ['--boot', '--since=-24h', '--output=cat', '--grep=apparmor="DENIED"'];
  const transports = ['_TRANSPORT=kernel', '+', '_TRANSPORT=audit'];
  const read = await host.runIfInstalled('journalctl', [...filter, ...transports], {
    accept: anyCode,
  });
  const found = (read?.stdout ?? '').split('\n').flatMap(readDenial);
  const distinct = new Map(found.map((denial) => [`${denial.profile} ${denial.path}`, denial]));
  return [...distinct.values()].filter(({ profile }) => ours.has(profile));
}

/** Describes a denial in one clause. */
export function describeDenial({ profile, path, program, mask }: Denial): Text {
  return {
    en: `the AppArmor profile ${profile} denied ${program} the access ${mask} to ${path}`,
    zh: `AppArmor 的配置 ${profile} 拒绝 ${program} 对 ${path} 的访问（${mask}）`,
  };
}

function readDenial(line: string): Denial[] {
  const fields = line.matchAll(/\b(\w+)=(?:"([^"]*)"|((?:[0-9A-F]{2})+)(?!\S))/g);
  const pairs = [...fields].map(([, key = '', text, hex = '']) => {
    // The kernel writes a value with a space or another unusual character in hexadecimal digits.
    const value = text ?? Buffer.from(hex, 'hex').toString();
    return [key, plainLine(value, 200)] as const;
  });
  const { apparmor, profile, name, comm = '', denied_mask: mask = '' } = Object.fromEntries(pairs);
  if (apparmor !== 'DENIED' || !profile || !name) return [];
  const [whole = ''] = profile.split('//');
  return [{ profile: whole.split('/').at(-1) ?? '', path: name, program: comm, mask }];
}
