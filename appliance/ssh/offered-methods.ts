import type { Host } from '../host/host.ts';
import { sshListeners } from '../host/sshd.ts';
import { loopbackOf } from './login-proof.ts';
import { sshCommand } from './loopback-client.ts';

/**
 * How the sshd that runs now lets a user prove who it is, such as `publickey`: not what its files
 * say, but what it answers to a client that offers nothing.
 */
export async function offeredMethods(host: Host, user: string): Promise<string[]> {
  const [listener] = await sshListeners(host);
  if (!listener) return [];
  const { port, address } = listener;
  const { file, args } = sshCommand({ user, address: loopbackOf(address), port });
  const { stderr } = await host.run(file, args, { accept: [255], seconds: 60 });
  const [, methods = ''] = /Permission denied \(([a-z,-]+)\)/.exec(stderr) ?? [];
  return methods.split(',').filter((method) => method !== '');
}
