import { readFile } from 'node:fs/promises';
import { homedir } from 'node:os';
import { join } from 'node:path';
import type Docker from 'dockerode';
import { LandfallError } from '#contract/errors.ts';

const defaultSocket = '/var/run/docker.sock';

/**
 * Connects to the Docker daemon of the environment, as the `docker` command does: DOCKER_HOST
 * (unix, tcp or ssh), DOCKER_TLS_VERIFY and DOCKER_CERT_PATH. Docker contexts are not supported.
 * @param timeout idle timeout in milliseconds
 * @throws LandfallError DOCKER_UNREACHABLE for invalid settings
 */
export async function connectDocker(env: NodeJS.ProcessEnv, timeout: number): Promise<Docker> {
  const host = env.DOCKER_HOST || `unix://${defaultSocket}`;
  const options = host.startsWith('unix://')
    ? unixOptions(host.slice('unix://'.length) || defaultSocket)
    : await remoteOptions(host, env);
  // Imported on demand: it is large, and few images come from a Docker daemon.
  const { default: DockerClient } = await import('dockerode');
  return new DockerClient({ ...options, timeout });
}

/** An explicit undefined prevents dockerode from using the host of this process's environment. */
function unixOptions(socketPath: string): Docker.DockerOptions {
  return { socketPath, host: undefined, protocol: 'http' };
}

async function remoteOptions(host: string, env: NodeJS.ProcessEnv): Promise<Docker.DockerOptions> {
  const url = URL.canParse(host) ? new URL(host) : undefined;
  const { hostname = '', port = '', username = '' } = url ?? {};
  if (!url || hostname === '' || !['tcp:', 'http:', 'https:', 'ssh:'].includes(url.protocol)) {
    throw new LandfallError(
      'DOCKER_UNREACHABLE',
      'DOCKER_HOST is not the address of a Docker daemon',
      {
        hint: 'Set it to an address such as unix:///var/run/docker.sock, tcp://host:2376 or ssh://user@host.',
      },
    );
  }
  if (url.protocol === 'ssh:') {
    return {
      protocol: 'ssh',
      host: hostname,
      port: port || 22,
      username,
      sshOptions: env.SSH_AUTH_SOCK ? { agent: env.SSH_AUTH_SOCK } : {},
    };
  }
  if (!env.DOCKER_TLS_VERIFY && url.protocol !== 'https:') {
    return { protocol: 'http', host: hostname, port: port || 2375 };
  }
  return { protocol: 'https', host: hostname, port: port || 2376, ...(await certificates(env)) };
}

async function certificates(env: NodeJS.ProcessEnv) {
  const folder = env.DOCKER_CERT_PATH || join(env.HOME || homedir(), '.docker');
  const read = (name: string) => readFile(join(folder, name));
  try {
    return { ca: await read('ca.pem'), cert: await read('cert.pem'), key: await read('key.pem') };
  } catch (cause) {
    throw new LandfallError(
      'DOCKER_UNREACHABLE',
      "cannot read the certificates of Docker's TLS connection",
      {
        hint: `Put ca.pem, cert.pem and key.pem into ${folder}, or set DOCKER_CERT_PATH, because DOCKER_TLS_VERIFY is set.`,
        cause,
      },
    );
  }
}
