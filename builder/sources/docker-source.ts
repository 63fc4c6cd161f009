import type { Readable } from 'node:stream';
import { LandfallError } from '#contract/errors.ts';
import { isDigest } from '#contract/trust/digest.ts';
import { parseReference } from '../registry/reference.ts';
import { dockerRoot } from './archive-origins.ts';
import type { ArchiveOrigin } from './archive-source.ts';
import { connectDocker } from './docker-connection.ts';

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
