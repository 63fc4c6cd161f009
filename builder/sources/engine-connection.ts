import { readFile } from 'node:fs/promises';
import { homedir } from 'node:os';
import { join } from 'node:path';
import type Docker from 'dockerode';
import { LandfallError } from '#contract/errors.ts';

const defaultSocket = '/var/run/docker.sock';

/**
 * Connects to the Docker Engine that the environment names, the way the `docker` command reads it:
 * DOCKER_HOST (unix, tcp or ssh), DOCKER_TLS_VERIFY and DOCKER_CERT_PATH. Docker contexts are not
 * looked at.
 * @param timeout milliseconds that the engine may stay silent
 * @throws LandfallError ENGINE_UNREACHABLE when the environment cannot be followed
 */
export async function connectEngine(env: NodeJS.ProcessEnv, timeout: number): Promise<Docker> {
  const host = env.DOCKER_HOST || `unix://${defaultSocket}`;
  const options = host.startsWith('unix://')
    ? unixOptions(host.slice('unix://'.length) || defaultSocket)
    : await remoteOptions(host, env);
  // Loaded here: it is large, and hardly anybody's images come from an engine.
  const { default: Engine } = await import('dockerode');
  return new Engine({ ...options, timeout });
}

/** An explicit undefined keeps dockerode from taking the host of this process's own environment. */
function unixOptions(socketPath: string): Docker.DockerOptions {
  return { socketPath, host: undefined, protocol: 'http' };
}

async function remoteOptions(host: string, env: NodeJS.ProcessEnv): Promise<Docker.DockerOptions> {
  const url = URL.canParse(host) ? new URL(host) : undefined;
  const { hostname = '', port = '', username = '' } = url ?? {};
  if (!url || hostname === '' || !['tcp:', 'http:', 'https:', 'ssh:'].includes(url.protocol)) {
    throw new LandfallError('ENGINE_UNREACHABLE', 'DOCKER_HOST is not an address of an engine', {
      hint: 'Write it like unix:///var/run/docker.sock, tcp://host:2376 or ssh://user@host.',
    });
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
    throw new LandfallError('ENGINE_UNREACHABLE', `the engine's certificates cannot be read`, {
      hint: `With DOCKER_TLS_VERIFY, ca.pem, cert.pem and key.pem have to be in ${folder}, or where DOCKER_CERT_PATH says.`,
      cause,
    });
  }
}
