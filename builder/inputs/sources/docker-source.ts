import type { Readable } from 'node:stream';
import { LandfallError } from '#contract/errors.ts';
import { isDigest } from '#contract/trust/digest.ts';
import { parseReference } from '../registry/reference.ts';
import { dockerRoot } from './archive-origins.ts';
import type { ArchiveOrigin } from './archive-source.ts';

/** Idle timeouts in milliseconds. Docker may copy a whole image before it sends the first byte. */
const inspectTimeout = 30_000;
const saveTimeout = 15 * 60_000;

/**
 * Returns the origin for an image of the Docker daemon that DOCKER_HOST, DOCKER_TLS_VERIFY and
 * DOCKER_CERT_PATH name, through the API of `docker save`. Docker saves only its own platform. Docker
 * contexts are not supported.
 * @param name a name in its familiar form, or an image ID
 */
export function dockerDaemonImage(name: string): ArchiveOrigin {
  const what = `docker-daemon:${name}`;
  return {
    name: what,
    open: () => save(name),
    root: (contents, documents) => {
      // The stream contains one image. When requested by digest, it may have no name.
      const isNamed = !isDigest(name) && parseReference(name).digest === undefined;
      const reference = isNamed ? parseReference(name) : undefined;
      return dockerRoot(contents, reference, documents, what);
    },
  };
}

async function save(name: string): Promise<{ stream: Readable; size: number }> {
  // Imported on demand: it is large, and few images come from a Docker daemon.
  const { default: Docker } = await import('dockerode');
  try {
    const client = new Docker({ timeout: inspectTimeout });
    const { Size: size } = await client.getImage(name).inspect();
    const saving = new Docker({ timeout: saveTimeout });
    const stream = (await saving.getImage(name).get()) as Readable;
    return { stream, size: Number.isSafeInteger(size) ? size : 0 };
  } catch (error) {
    throw dockerError(error, name);
  }
}

function dockerError(cause: unknown, name: string): unknown {
  if (!(cause instanceof Error)) return cause;
  const status = 'statusCode' in cause ? Number(cause.statusCode) : undefined;
  if (status === 404) {
    return new LandfallError('IMAGE_NOT_FOUND', `Docker does not have the image ${name}`, {
      hint: `Pull or build the image first; \`docker image ls\` lists local images.`,
    });
  }
  if (status !== undefined) {
    return new LandfallError('IMAGE_SOURCE', `Docker responded with status ${status}`, {
      hint: "Check Docker's log with `journalctl -u docker`.",
      cause,
    });
  }
  const address = process.env.DOCKER_HOST || 'unix:///var/run/docker.sock';
  return new LandfallError('DOCKER_UNREACHABLE', `cannot connect to Docker at ${address}`, {
    hint: 'Start Docker, check the permissions of its socket, or set DOCKER_HOST to an address such as unix:///var/run/docker.sock or ssh://user@host; with TLS, DOCKER_CERT_PATH names the folder of ca.pem, cert.pem and key.pem.',
    cause,
  });
}
