import { setTimeout as sleep } from 'node:timers/promises';
import type { Host } from '../host/host.ts';
import { engineService, swarmImage } from './stack-file.ts';

/** Finds the containers of the service on a node. */
export const taskFilter = `label=com.docker.swarm.service.name=${engineService}`;

/**
 * Gives Ollama's image the name that the service has, and removes that of releases whose tasks have ended.
 * @param local its name in this release
 */
export async function nameImage(host: Host, local: string, tag: string): Promise<void> {
  const wanted = swarmImage(tag);
  await host.run('docker', ['tag', local, wanted]);
  const format = '{{.Repository}}:{{.Tag}}';
  const all = ['image', 'ls', '--format', format, swarmImage('*')];
  const { stdout } = await host.run('docker', all);
  const used = await host.run('docker', ['ps', '--filter', taskFilter, '--format', '{{.Image}}']);
  const kept = new Set([wanted, ...used.stdout.split('\n')]);
  for (const name of stdout.split('\n').filter((line) => line !== '' && !kept.has(line))) {
    await host.run('docker', ['image', 'rm', '--no-prune', name], { accept: [1] });
  }
}

/** Returns whether the image has the name that the service of this release has. */
export async function isImageNamed(host: Host, tag: string): Promise<boolean> {
  return await host.succeeds('docker', ['image', 'inspect', swarmImage(tag)]);
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
 * Waits until the task of this node runs. Swarm needs some seconds for it. It returns after a minute too:
 * the first server shows why the task does not start.
 */
export async function awaitTask(host: Host): Promise<void> {
  const end = performance.now() + startWithin;
  while (performance.now() < end) {
    const { stdout } = await host.run('docker', ['ps', '--quiet', '--filter', taskFilter]);
    if (stdout.trim() !== '') return;
    await host.outside.measure(() => sleep(interval));
  }
}
