import { z } from 'zod';
import type { TransferError } from '#http/transfer-error.ts';
import { docker, toDocker } from '../../server/host/docker-daemon.ts';
import type { Host } from '../../server/host/host.ts';
import { imageName } from '../../server/host/pull/image-name.ts';
import type { PullFailed } from '../../server/host/pull/pull-line.ts';
import { readJsonFile } from '../../server/host/state-file.ts';

/**
 * Pulls an image through Docker's API and yields each line of progress. Unlike `docker pull`, the API
 * reports bytes, and the pull stops when the caller stops reading.
 * @param reference with registry and digest: `docker.io/x/y@sha256:…`
 * @param failed returns the error for a message of Docker
 * @throws LandfallError DOCKER_UNREACHABLE, and those of `failed`; the reason of the signal
 */
export async function* pullLines(
  host: Host,
  reference: string,
  failed: (words: string) => TransferError,
  signal: AbortSignal,
): AsyncGenerator<PullLine> {
  const [fromImage = '', tag = ''] = reference.split('@');
  const login = await registryLogin(host, reference);
  const chunks = docker.request(
    toDocker(host),
    {
      origin: 'http://docker',
      path: '/images/create',
      query: { fromImage, tag },
      method: 'POST',
      headers: login === undefined ? {} : { 'x-registry-auth': login },
      signal,
    },
    failed,
  );
  yield* docker.pullLines(chunks, progressSchema);
}

/** Credentials of `sudo docker login`. */
const clientSettings = 'root/.docker/config.json';
/** The key of Docker Hub in that file. */
const hub = 'https://index.docker.io/v1/';

const settingsSchema = z.object({
  auths: z
    .record(
      z.string(),
      z.object({ auth: z.string().optional(), identitytoken: z.string().optional() }),
    )
    .default({}),
});

/**
 * Returns the credentials of an image's registry for the header `X-Registry-Auth` (Docker Engine API,
 * Authentication); undefined if root is not logged in.
 */
export async function registryLogin(host: Host, reference: string): Promise<string | undefined> {
  const { registry } = imageName(reference);
  const serveraddress = registry === 'docker.io' ? hub : registry;
  // An invalid file of the administrator means anonymous pulls.
  const login = (await readJsonFile(host, clientSettings, settingsSchema))?.auths[serveraddress];
  if (!login) return undefined;
  const [username = '', ...rest] = Buffer.from(login.auth ?? '', 'base64')
    .toString()
    .split(':');
  const secret = login.identitytoken
    ? { identitytoken: login.identitytoken }
    : { username, password: rest.join(':') };
  const base64 = Buffer.from(JSON.stringify({ ...secret, serveraddress })).toString('base64');
  // RFC 4648, section 5, with padding: Docker ignores a header without padding.
  return base64.replaceAll('+', '-').replaceAll('/', '_');
}

/** Docker reports -1 for an unknown length. */
const bytes = z.int().nonnegative().optional().catch(undefined);

/** A line of the response to `POST /images/create` (Docker Engine API, ImageCreate). */
const progressSchema = z.object({
  status: z.string().max(1000).default(''),
  /** The short digest of a layer; in lines about the image, its tag or undefined. */
  id: z.string().max(300).optional(),
  progressDetail: z.object({ current: bytes, total: bytes }).optional(),
});

export type PullLine = z.infer<typeof progressSchema> | PullFailed;
