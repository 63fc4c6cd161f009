import { type ChildProcess, spawn } from 'node:child_process';
import { execa } from 'execa';

export interface Visit {
  /** A folder of this machine, mounted at /mnt inside. */
  readonly folder: string;
  readonly command: string;
  readonly args: readonly string[];
  readonly input?: string | Uint8Array;
  /** The process whose network it uses; default: this machine's network. */
  readonly network?: number;
}

/** Result of a program: its exit code and all of its output. */
export interface Outcome {
  readonly exitCode: number;
  readonly output: string;
}

/** Excludes the environment of this machine. */
const env = { PATH: '/usr/sbin:/usr/bin:/sbin:/bin', HOME: '/root', LC_ALL: 'C.UTF-8' };

/** Runs a program inside another Debian, in /mnt. Its mounts are private and disappear with it. */
export async function inChroot(root: string, visit: Visit): Promise<Outcome> {
  const { input } = visit;
  const result = await execa('nsenter', entering(root, visit), {
    ...(input === undefined ? { stdin: 'ignore' } : { input }),
    env,
    extendEnv: false,
    reject: false,
    all: true,
  });
  if (result.exitCode === undefined) throw new Error(result.shortMessage);
  return { exitCode: result.exitCode, output: result.all };
}

/**
 * Starts a program as {@link inChroot} does. It reads messages from descriptor 3 and writes them to
 * 4.
 */
export function talkInChroot(root: string, visit: Visit): ChildProcess {
  const stdio = ['ignore', 'ignore', 'pipe', 'pipe', 'pipe'] as const;
  return spawn('nsenter', entering(root, visit), { env, stdio: [...stdio] });
}

/** Returns the arguments of nsenter. */
function entering(root: string, { folder, command, args, network }: Visit): string[] {
  const script = [
    'root=$1 folder=$2; shift 2',
    'mount --rbind /dev "$root/dev"',
    'mount -t proc proc "$root/proc"',
    'mount --bind "$folder" "$root/mnt"',
    'exec chroot "$root" /bin/sh -c \'cd /mnt && exec "$0" "$@"\' "$@"',
  ].join(' && ');
  const net = network === undefined ? [] : [`--net=/proc/${network}/ns/net`];
  return [
    ...[...net, '--', 'unshare', '--mount', '--propagation', 'private'],
    ...['sh', '-c', script, 'sh', root, folder, command, ...args],
  ];
}
