import type { Host } from '../host/host.ts';
import { sshListeners } from '../host/sshd/ssh-listeners.ts';
import { doorsOf, loginOverLoopback } from './loopback-login.ts';

/**
 * How the sshd that runs now lets a user prove who it is, such as `publickey`: not what its files
 * say, but what it answers to a client that offers nothing.
 */
export async function offeredMethods(host: Host, user: string): Promise<string[]> {
  const doors = doorsOf(await sshListeners(host));
  const { stderr } = await loginOverLoopback(host, { user, doors });
  const [, methods = ''] = /Permission denied \(([a-z,-]+)\)/.exec(stderr) ?? [];
  return methods.split(',').filter((method) => method !== '');
}
