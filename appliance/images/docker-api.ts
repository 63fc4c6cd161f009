import { Agent, type Dispatcher } from 'undici';
import { z } from 'zod';
import { readAtMost } from '#contract/text/bytes.ts';
import { readJson } from '#contract/text/json.ts';
import { plainLine } from '#contract/text/plain-line.ts';
import { decodeUtf8 } from '#contract/text/utf8.ts';
import { TransferError } from '#http/transfer-error.ts';
import type { Host } from '../host/host.ts';
import { readJsonFile } from '../host/json-file.ts';
import { imageName } from '../host/pull/image-name.ts';
import { jsonLines, type PullFailed, pullLine } from '../host/pull/pull-line.ts';

const socket = 'run/docker.sock';
/** Includes the start of Docker through socket activation. Milliseconds. */
const connectTimeout = 60_000;
/** Maximum size of an error body, in bytes. */
const maxRefusalBytes = 64 * 1024;
const refusalSchema = z.object({ message: z.string() });

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
  const lines = jsonLines(create(host, reference, failed, signal), {
    unexpected: unexpectedResponse,
    truncated,
  });
  const unknown = (cause: unknown) => unexpectedResponse('an unexpected line', cause);
  for await (const line of lines) yield pullLine(line, progressSchema, unknown);
}

async function* create(
  host: Host,
  reference: string,
  failed: (words: string) => TransferError,
  signal: AbortSignal,
): AsyncGenerator<Uint8Array> {
  const [fromImage = '', tag = ''] = reference.split('@');
  const login = await registryLogin(host, reference);
  const agent = new Agent({
    connect: { socketPath: host.path(socket), timeout: connectTimeout },
    // Docker responds after the registry does; the caller limits the time.
    headersTimeout: 0,
    bodyTimeout: 0,
  });
  try {
    const answer = await agent.request({
      origin: 'http://docker',
      path: '/images/create',
      query: { fromImage, tag },
      method: 'POST',
      headers: login === undefined ? {} : { 'x-registry-auth': login },
      signal,
    });
    if (answer.statusCode !== 200) throw failed(await wordsOf(answer));
    yield* answer.body;
  } catch (cause) {
    if (cause instanceof TransferError) throw cause;
    throw signal.aborted ? signal.reason : truncated(cause);
  } finally {
    await agent.destroy();
  }
}

async function wordsOf({ statusCode, body }: Dispatcher.ResponseData): Promise<string> {
  const text = decodeUtf8(await readAtMost(body, maxRefusalBytes));
  const refused = readJson(refusalSchema, text);
  return refused?.message ?? `status ${statusCode} ${plainLine(text)}`;
}

/** Returns the error for a response that no supported version of Docker sends. */
function unexpectedResponse(what: string, cause?: unknown): TransferError {
  return new TransferError('DOCKER_UNREACHABLE', `Docker returned ${what}`, {
    hint: seeLog,
    transient: false,
    cause,
  });
}

/** Returns the error for a missing or incomplete response: Docker may be restarting. */
function truncated(cause?: unknown): TransferError {
  return new TransferError('DOCKER_UNREACHABLE', 'Docker does not respond', {
    hint: seeLog,
    transient: true,
    cause,
  });
}

const seeLog = 'Check the logs: sudo journalctl --unit docker --lines 50';

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
  const login = (await logins(host))[serveraddress];
  if (!login) return undefined;
  const [username = '', ...rest] = decoded(login.auth).split(':');
  const secret = login.identitytoken
    ? { identitytoken: login.identitytoken }
    : { username, password: rest.join(':') };
  return base64Url(JSON.stringify({ ...secret, serveraddress }));
}

/** Encodes by RFC 4648, section 5, with padding: Docker ignores a header without padding. */
function base64Url(text: string): string {
  return Buffer.from(text).toString('base64').replaceAll('+', '-').replaceAll('/', '_');
}

/** Reads the credentials; an invalid file of the administrator means anonymous pulls. */
async function logins(host: Host): Promise<z.infer<typeof settingsSchema>['auths']> {
  return (await readJsonFile(host, clientSettings, settingsSchema))?.auths ?? {};
}

function decoded(auth = ''): string {
  return Buffer.from(auth, 'base64').toString('utf8');
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
