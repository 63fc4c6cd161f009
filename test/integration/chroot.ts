import { execa } from 'execa';

export interface Visit {
  /** A folder of this machine, seen as /mnt inside. */
  readonly folder: string;
  readonly command: string;
  readonly args: readonly string[];
  readonly input?: string | Uint8Array;
  /** The process in whose network it runs; this machine's where it is left out. */
  readonly network?: number;
}

/** What a program gave back: its exit code and everything it printed. */
export interface Outcome {
  readonly exitCode: number;
  readonly output: string;
}

/**
 * Runs a program inside another Debian, in /mnt. Its mounts are seen by that program alone and are
 * gone with it.
 */
export async function inChroot(root: string, visit: Visit): Promise<Outcome> {
  const { folder, command, args, input, network } = visit;
  const script = [
    'root=$1 folder=$2; shift 2',
    'mount --rbind /dev "$root/dev"',
    'mount -t proc proc "$root/proc"',
    'mount --bind "$folder" "$root/mnt"',
    'exec chroot "$root" /bin/sh -c \'cd /mnt && exec "$0" "$@"\' "$@"',
  ].join(' && ');
  const net = network === undefined ? [] : [`--net=/proc/${network}/ns/net`];
  const result = await execa(
    'nsenter',
    [
      ...[...net, '--', 'unshare', '--mount', '--propagation', 'private'],
      ...['sh', '-c', script, 'sh', root, folder, command, ...args],
    ],
    {
      ...(input === undefined ? { stdin: 'ignore' } : { input }),
      env: { PATH: '/usr/sbin:/usr/bin:/sbin:/bin', HOME: '/root', LC_ALL: 'C.UTF-8' },
      extendEnv: false,
      reject: false,
      all: true,
    },
  );
  if (result.exitCode === undefined) throw new Error(result.shortMessage);
  return { exitCode: result.exitCode, output: result.all };
}
