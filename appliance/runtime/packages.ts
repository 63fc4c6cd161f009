import type { Server } from '../host/server.ts';

/** Who packages Docker: Docker Inc. or the distribution. */
export type DockerSource = 'docker' | 'distribution';

const fromDocker = ['docker-ce', 'docker-ce-cli', 'containerd.io'];

/**
 * Returns the packages of Docker. Debian 13 moved the command `docker` from docker.io to docker-cli.
 */
export function dockerPackages(
  { distribution: { id, version } }: Pick<Server, 'distribution'>,
  source: DockerSource,
): string[] {
  const common = ['iptables', 'ca-certificates'];
  if (source === 'docker') return [...fromDocker, ...common];
  const cli = id === 'debian' && Number(version) >= 13 ? ['docker-cli'] : [];
  return ['docker.io', ...cli, ...common];
}
