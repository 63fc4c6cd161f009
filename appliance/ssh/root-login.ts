import type { Host } from '../host/host.ts';

/** Whether nobody can become root with a password of root's own. */
export async function isRootLocked(host: Host): Promise<boolean> {
  const { stdout } = await host.run('passwd', ['--status', 'root']);
  return stdout.split(' ')[1] === 'L';
}

/** Locks root's password; `sudo passwd --unlock root` opens it again. */
export async function lockRoot(host: Host): Promise<void> {
  await host.run('passwd', ['--quiet', '--lock', 'root']);
}
