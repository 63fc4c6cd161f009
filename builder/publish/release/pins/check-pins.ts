import { z } from 'zod';
import { LandfallError } from '#contract/errors.ts';
import type { HttpClient, HttpResponse } from '#http/client.ts';
import { Authenticator } from '../../../inputs/registry/authenticator.ts';
import { CredentialStore } from '../../../inputs/registry/credentials.ts';
import { registryAddress } from '../../../inputs/registry/mirrors.ts';
import { newestInLine, type Pin } from './pins.ts';

export interface PinSources {
  readonly http: HttpClient;
  /** Base URL of the npm registry. */
  readonly npm: string;
  /** Base URL of the Go module proxy. */
  readonly go: string;
  /** Milliseconds for one request. */
  readonly timeout: number;
}

export interface PinResult {
  readonly name: string;
  readonly pinned: string;
  readonly newest?: string;
  readonly state: 'newest' | 'behind' | 'vulnerable' | 'not answered' | 'no source';
  /** Whether it keeps a release from being published. */
  readonly blocks?: boolean;
  /** Host of the registry, if there is one. */
  readonly host?: string;
  readonly reason?: string;
}

/** A list of 10,000 tags has about 400 KB. Bytes. */
const maxAnswer = 8 * 1024 * 1024;
const maxPages = 40;

const tagsSchema = z.object({ tags: z.array(z.string()) });
const packageSchema = z.object({ versions: z.record(z.string(), z.unknown()) });

/** Compares each pin with what is published in its line. A source that fails is `not answered`. */
export function checkPins(pins: readonly Pin[], sources: PinSources): Promise<PinResult[]> {
  return Promise.all(pins.map((pin) => checkPin(pin, sources)));
}

async function checkPin(pin: Pin, sources: PinSources): Promise<PinResult> {
  const { name, version: pinned, source } = pin;
  if (source.kind === 'none') return { name, pinned, state: 'no source' };
  const host = hostOf(source, sources);
  try {
    const newest = newestInLine(pin, await publishedVersions(source, sources));
    if (newest === undefined) {
      return { name, pinned, host, state: 'not answered', reason: 'no version of this line' };
    }
    // A registry that lists only older versions is out of date.
    const isNewest = newestInLine(pin, [newest, pinned]) === pinned;
    if (newest !== pinned && isNewest) {
      return { name, pinned, host, state: 'not answered', reason: `lists ${newest} only` };
    }
    if (isNewest) return { name, pinned, newest, host, state: 'newest' };
    return { name, pinned, newest, host, state: 'behind', blocks: !pin.isLibrary };
  } catch (error) {
    const reason = error instanceof LandfallError ? error.message : 'the answer is invalid';
    return { name, pinned, host, state: 'not answered', reason };
  }
}

type Source = Exclude<Pin['source'], { kind: 'none' }>;

function hostOf(source: Source, { npm, go }: PinSources): string {
  return source.kind === 'image' ? source.registry : new URL(source.kind === 'npm' ? npm : go).host;
}

async function publishedVersions(source: Source, sources: PinSources): Promise<readonly string[]> {
  const { http, npm, go, timeout } = sources;
  if (source.kind === 'image') return tagsOf(source, sources);
  const path =
    source.kind === 'npm' ? `${npm}/${source.package}` : `${go}/${source.module}/@v/list`;
  const response = await http.send({ url: new URL(path), timeout });
  const text = await bodyOf(response);
  if (source.kind === 'go') return text.split('\n');
  return Object.keys(packageSchema.parse(JSON.parse(text)).versions);
}

async function tagsOf(
  { registry, repository }: Extract<Source, { kind: 'image' }>,
  { http, timeout }: PinSources,
): Promise<readonly string[]> {
  const { base, host } = registryAddress(registry);
  // Only anonymous: the images are public.
  const credentials = new CredentialStore({ env: {} });
  const authenticator = new Authenticator({ http, base, host, credentials });
  const scope = `repository:${repository}:pull`;
  const tags: string[] = [];
  let url: URL | undefined = new URL(`/v2/${repository}/tags/list`, base);
  for (let page = 0; url !== undefined; page += 1) {
    if (page === maxPages) throw notAnswered(`${host} has more than ${maxPages} pages of tags`);
    const authorization = await authenticator.known(scope);
    let response: HttpResponse = await http.send({ url, timeout, authorization });
    if (response.status === 401) {
      await response.discard();
      const demand = response.header('www-authenticate');
      const answer = await authenticator.answer(demand, scope, authorization);
      response = await http.send({ url, timeout, authorization: answer });
    }
    const link = /<([^>]+)>;\s*rel="?next/.exec(response.header('link') ?? '')?.[1];
    tags.push(...tagsSchema.parse(JSON.parse(await bodyOf(response))).tags);
    url = link === undefined ? undefined : new URL(link, base);
    if (url && url.origin !== base.origin) throw notAnswered(`${host} links to another host`);
  }
  return tags;
}

/** Returns the body of an answer with status 200. @throws LandfallError REGISTRY_PROTOCOL */
export async function bodyOf(response: HttpResponse): Promise<string> {
  if (response.status === 200) return (await response.bytes(maxAnswer)).toString('utf8');
  await response.discard();
  throw notAnswered(`${response.url.host} answered with status ${response.status}`);
}

function notAnswered(message: string): LandfallError {
  return new LandfallError('REGISTRY_PROTOCOL', message, {
    hint: 'Compare the version with the site of its publisher.',
  });
}
