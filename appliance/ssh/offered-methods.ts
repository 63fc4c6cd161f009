import type { Host } from '../host/host.ts';
import { sshListeners } from '../host/sshd/ssh-listeners.ts';
import { loginOverLoopback, loopbackEndpoints } from './loopback-login.ts';

/**
 * Returns the authentication methods that the running sshd offers a user, such as `publickey`. They
 * are read from its response to a client without credentials, not from its files.
 */
export async function offeredMethods(host: Host, user: string): Promise<string[]> {
  const endpoints = loopbackEndpoints(await sshListeners(host));
  const { stderr } = await loginOverLoopback(host, { user, endpoints });
  const [, methods = ''] = /Permission denied \(([a-z,-]+)\)/.exec(stderr) ?? [];
  return methods.split(',').filter((method) => method !== '');
}
