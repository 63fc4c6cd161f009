import type { Host } from '../host/host.ts';

/** Returns whether the password of root is locked. */
export async function isRootLocked(host: Host): Promise<boolean> {
  const { stdout } = await host.run('passwd', ['--status', 'root']);
  return stdout.split(' ')[1] === 'L';
}

/** Locks the password of root; `sudo passwd --unlock root` unlocks it. */
export async function lockRoot(host: Host): Promise<void> {
  await host.run('passwd', ['--quiet', '--lock', 'root']);
}
