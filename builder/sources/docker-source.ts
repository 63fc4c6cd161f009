import { readFile } from 'node:fs/promises';
import { homedir } from 'node:os';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import type Docker from 'dockerode';
import { LandfallError } from '#contract/errors.ts';
import { isDigest } from '#contract/trust/digest.ts';
import { parseReference } from '../registry/reference.ts';
import { dockerRoot } from './archive-origins.ts';
import type { ArchiveOrigin } from './archive-source.ts';

/** Idle timeouts in milliseconds. Docker may copy a whole image before it sends the first byte. */
const inspectTimeout = 30_000;
const saveTimeout = 15 * 60_000;

/**
 * Returns the origin for an image of a Docker daemon, through the API of `docker save`. Docker
 * saves only its own platform.
 * @param name a name in its familiar form, or an image ID
 */
export function dockerDaemonImage(name: string, env: NodeJS.ProcessEnv): ArchiveOrigin {
  const what = `docker-daemon:${name}`;
  return {
    name: what,
    open: () => save(name, env),
    root: (contents, documents) => {
      // The stream contains one image. When requested by digest, it may have no name.
      const isNamed = !isDigest(name) && parseReference(name).digest === undefined;
      const reference = isNamed ? parseReference(name) : undefined;
      return dockerRoot(contents, reference, documents, what);
    },
  };
}

async function save(
  name: string,
  env: NodeJS.ProcessEnv,
): Promise<{ stream: Readable; size: number }> {
  try {
    const client = await connectDocker(env, inspectTimeout);
    const { Size: size } = await client.getImage(name).inspect();
    const saving = await connectDocker(env, saveTimeout);
    const stream = (await saving.getImage(name).get()) as Readable;
    return { stream, size: Number.isSafeInteger(size) ? size : 0 };
  } catch (error) {
    throw dockerError(error, name, env);
  }
}

function dockerError(error: unknown, name: string, env: NodeJS.ProcessEnv): unknown {
  if (error instanceof LandfallError || !(error instanceof Error)) return error;
  const status = 'statusCode' in error ? Number(error.statusCode) : undefined;
  if (status === 404) {
    return new LandfallError('IMAGE_NOT_FOUND', `Docker does not have the image ${name}`, {
      hint: `Pull or build the image first; \`docker image ls\` lists local images.`,
    });
  }
  if (status !== undefined) {
    return new LandfallError('IMAGE_SOURCE', `Docker responded with status ${status}`, {
      hint: "Check Docker's log with `journalctl -u docker`.",
      cause: error,
    });
  }
  const address = env.DOCKER_HOST || 'unix:///var/run/docker.sock';
  return new LandfallError('DOCKER_UNREACHABLE', `cannot connect to Docker at ${address}`, {
    hint: 'Start Docker, check the permissions of its socket, or set DOCKER_HOST; images in a registry do not need Docker.',
    cause: error,
  });
}

const defaultSocket = '/var/run/docker.sock';

/**
 * Connects to the Docker daemon of the environment, as the `docker` command does: DOCKER_HOST
 * (unix, tcp or ssh), DOCKER_TLS_VERIFY and DOCKER_CERT_PATH. Docker contexts are not supported.
 * @param timeout idle timeout in milliseconds
 * @throws LandfallError DOCKER_UNREACHABLE for invalid settings
 */
async function connectDocker(env: NodeJS.ProcessEnv, timeout: number): Promise<Docker> {
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
