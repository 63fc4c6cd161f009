import type { Readable } from 'node:stream';
import { LandfallError } from '#contract/errors.ts';
import { isDigest } from '#contract/trust/digest.ts';
import { parseReference } from '../registry/reference.ts';
import { dockerRoot } from './archive-origins.ts';
import type { ArchiveOrigin } from './archive-source.ts';
import { connectEngine } from './engine-connection.ts';

/** Milliseconds of silence. An engine may copy a whole image before it sends the first byte. */
const questionTimeout = 30_000;
const saveTimeout = 15 * 60_000;

/**
 * An image of a Docker Engine, through the call behind `docker save`. An engine gives the one
 * platform that it runs.
 * @param name a name in its familiar form, or an image id
 */
export function engineImage(name: string, env: NodeJS.ProcessEnv): ArchiveOrigin {
  const what = `docker-daemon:${name}`;
  return {
    name: what,
    open: () => save(name, env),
    root: (contents, documents) => {
      // One image was asked for; asked by digest, it may come without any name.
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
    const asked = await connectEngine(env, questionTimeout);
    const { Size: size } = await asked.getImage(name).inspect();
    const saving = await connectEngine(env, saveTimeout);
    const stream = (await saving.getImage(name).get()) as Readable;
    return { stream, size: Number.isSafeInteger(size) ? size : 0 };
  } catch (error) {
    throw engineError(error, name, env);
  }
}

function engineError(error: unknown, name: string, env: NodeJS.ProcessEnv): unknown {
  if (error instanceof LandfallError || !(error instanceof Error)) return error;
  const status = 'statusCode' in error ? Number(error.statusCode) : undefined;
  if (status === 404) {
    return new LandfallError('IMAGE_NOT_FOUND', `the engine has no image ${name}`, {
      hint: `Pull or build it first; \`docker image ls\` shows what there is.`,
    });
  }
  if (status !== undefined) {
    return new LandfallError('IMAGE_SOURCE', `the engine answers with status ${status}`, {
      hint: 'Its log says more: `journalctl -u docker`.',
      cause: error,
    });
  }
  const place = env.DOCKER_HOST || 'unix:///var/run/docker.sock';
  return new LandfallError('ENGINE_UNREACHABLE', `no Docker Engine answers at ${place}`, {
    hint: 'Start it, check that you may use its socket, or set DOCKER_HOST. Images in a registry need no engine.',
    cause: error,
  });
}
