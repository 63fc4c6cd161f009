import { z } from 'zod';
import { readJson } from '#contract/text/json.ts';
import type { ProbeNetwork, Route } from './exchange/network.ts';
import { send } from './exchange/send.ts';

/** An image that a server would pull. */
export interface MirroredImage {
  /** Such as `docker.io`. */
  readonly registry: string;
  /** Such as `library/nginx`. */
  readonly repository: string;
  /** Of its index or manifest: `sha256:…`. */
  readonly digest: string;
}

/** Media types of the manifests that Docker accepts. */
const accept = [
  'application/vnd.oci.image.index.v1+json',
  'application/vnd.docker.distribution.manifest.list.v2+json',
  'application/vnd.oci.image.manifest.v1+json',
  'application/vnd.docker.distribution.manifest.v2+json',
].join(', ');

const tokenSchema = z.object({ token: z.string().optional(), access_token: z.string().optional() });
/** Bytes. */
const maxToken = 64 * 1024;

/**
 * Requests a manifest, again with an anonymous token if the registry demands one.
 * https://distribution.github.io/distribution/spec/auth/token/
 */
export async function sendForImage(
  url: URL,
  routeTo: (url: URL) => Route,
  network: ProbeNetwork,
): ReturnType<typeof send> {
  const first = await send({ url, headers: { accept } }, routeTo(url), network);
  const realm =
    first.answer?.status === 401
      ? tokenUrl(first.answer.header('www-authenticate') ?? '')
      : undefined;
  if (realm === undefined) return first;
  const reply = await send({ url: realm, maxBytes: maxToken }, routeTo(realm), network);
  const { token, access_token } = readJson(tokenSchema, reply.answer?.body) ?? {};
  const found = token ?? access_token;
  if (found === undefined || /[^\x21-\x7e]/.test(found)) return first;
  const headers = { accept, authorization: `Bearer ${found}` };
  return await send({ url, headers }, routeTo(url), network);
}

/** Returns the URL that issues a token; undefined for another challenge. */
function tokenUrl(challenge: string): URL | undefined {
  const [, parameters] = /^Bearer\s+(.+)$/i.exec(challenge) ?? [];
  const fields = Object.fromEntries(
    [...(parameters ?? '').matchAll(/([a-z]+)="([^"]*)"/g)].map(([, name, value]) => [name, value]),
  );
  const url = URL.parse(fields.realm ?? '');
  if (url === null || !/^https?:$/.test(url.protocol)) return undefined;
  for (const name of ['service', 'scope']) {
    if (fields[name] !== undefined) url.searchParams.set(name, fields[name]);
  }
  return url;
}
