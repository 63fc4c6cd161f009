import { setTimeout as sleep } from 'node:timers/promises';
import type { Host } from '../../server/host/host.ts';
import { engineService, swarmImage } from './stack-file.ts';

/** Finds the containers of the service on a node. */
export const taskFilter = `label=com.docker.swarm.service.name=${engineService}`;

/**
 * Gives Ollama's verified image the name that the service has, so that the next task starts it.
 * @param local its name in this release
 * @returns whether the name was that of another image, or of none
 */
export async function nameImage(host: Host, local: string): Promise<boolean> {
  if (await isImageNamed(host, local)) return false;
  await host.run('docker', ['tag', local, swarmImage]);
  return true;
}

/** Returns whether this image has the name that the service has. */
export async function isImageNamed(host: Host, local: string): Promise<boolean> {
  const args = ['image', 'inspect', '--format', '{{.Id}}', local, swarmImage];
  const { stdout } = await host.run('docker', args, { accept: [1] });
  const [own, named] = stdout.trim().split('\n');
  return own !== '' && own === named;
}

/** Takes the name back. */
export async function forgetImage(host: Host): Promise<void> {
  await host.run('docker', ['image', 'rm', '--no-prune', swarmImage], { accept: [1] });
}

/**
 * Stops the task, so that Swarm starts a new one, which reads the files of this node again.
 * @returns false if this node has no task: it is drained, or the first server starts none
 */
export async function restartTask(host: Host): Promise<boolean> {
  const { stdout } = await host.run('docker', ['ps', '--quiet', '--filter', taskFilter]);
  const ids = stdout.split('\n').filter((id) => id !== '');
  if (ids.length > 0) await host.run('docker', ['stop', ...ids]);
  return ids.length > 0;
}

/** Milliseconds between two looks at a task, and for its start. */
const [interval, startWithin] = [500, 60_000];

/**
 * Waits for a minute at most until the task of this node runs. Swarm needs some seconds for it. The first
 * server shows why a task does not start.
 * @returns whether it runs
 */
export async function awaitTask(host: Host): Promise<boolean> {
  const end = performance.now() + startWithin;
  while (performance.now() < end) {
    const { stdout } = await host.run('docker', ['ps', '--quiet', '--filter', taskFilter]);
    if (stdout.trim() !== '') return true;
    await host.outside.measure(() => sleep(interval));
  }
  return false;
}
