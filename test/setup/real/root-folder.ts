import { copyFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { execa } from 'execa';
import { findDebianMirror } from '../debian/debian-mirror.ts';
import { withMmdebstrap } from '../debian/mmdebstrap.ts';

const path = '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin';

/** Creates the root folder of a Debian with these packages. */
export async function makeRoot(
  suite: 'bookworm' | 'trixie',
  packages: readonly string[],
  target: string,
): Promise<void> {
  const bootstrap = { variant: 'apt', suite, packages, target } as const;
  await withMmdebstrap(bootstrap, await findDebianMirror(), (command, args, env) =>
    execa(command, args, { env, stdin: 'ignore' }),
  );
}

/**
 * Runs a shell script in a root folder with the network, name servers and certificate authorities
 * of this machine. The folder `shared` is at /mnt. Proxy variables of this machine apply.
 * @throws the error of the script with its output
 */
export async function runInRoot(root: string, shared: string, script: string): Promise<void> {
  await copyFile('/etc/resolv.conf', join(root, 'etc/resolv.conf'));
  await copyFile(
    '/etc/ssl/certs/ca-certificates.crt',
    join(root, 'etc/ssl/certs/ca-certificates.crt'),
  );
  const mounts = [
    'mount --rbind /dev "$0/dev"',
    'mount -t proc proc "$0/proc"',
    'mount --bind "$1" "$0/mnt"',
    'exec chroot "$0" /bin/sh -ec "$2"',
  ].join(' && ');
  await execa(
    'unshare',
    ['--mount', '--propagation', 'private', 'sh', '-c', mounts, root, shared, script],
    {
      stdin: 'ignore',
      all: true,
      env: { ...proxies(), PATH: path, HOME: '/root', LC_ALL: 'C.UTF-8' },
      extendEnv: false,
    },
  );
  await rm(join(root, 'etc/resolv.conf'));
}

function proxies(): Record<string, string> {
  const names = ['http_proxy', 'https_proxy', 'no_proxy'];
  const all = [...names, ...names.map((name) => name.toUpperCase())];
  return Object.fromEntries(
    all.flatMap((name) => {
      const value = process.env[name];
      return value ? [[name, value]] : [];
    }),
  );
}
