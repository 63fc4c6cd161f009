import type { Host } from '../host/host.ts';

/**
 * Returns the IDs of a service's containers that run or are paused. They are found by Compose's labels:
 * after a power cut, a container may have the temporary name under which Compose has created it.
 */
export async function runningContainers(host: Host, service: 'ui' | 'engine'): Promise<string[]> {
  const labels = ['project=landfall', `service=${service}`, 'oneoff=False'];
  const filters = labels.flatMap((label) => ['--filter', `label=com.docker.compose.${label}`]);
  const { stdout } = await host.run('docker', ['ps', '--quiet', ...filters]);
  return stdout.split('\n').filter((id) => id !== '');
}
