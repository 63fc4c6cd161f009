import { z } from 'zod';
import { LandfallError } from '#contract/errors.ts';
import type { HttpResponse } from '#http/client.ts';
import { statusError } from '#http/status.ts';
import { parseChallenges } from './challenge.ts';

/** Who refused what to whom. */
interface Refused {
  /** `nginx:1.30`, or a blob of it. */
  readonly what: string;
  /** The registry's host as people know it. */
  readonly host: string;
  /** Whether a login was used. */
  readonly loggedIn: boolean;
  /** The origin that was asked; an answer may come from where that redirected to. */
  readonly origin: string;
}

const maxErrorBytes = 64 * 1024;

/** The body of a registry's error (distribution-spec, "Error Codes"). */
const errorsSchema = z.object({ errors: z.array(z.object({ code: z.string() })) });

/**
 * The error for an answer that is not what was asked for. Reads its body.
 * IMAGE_NOT_FOUND, REGISTRY_AUTH, REGISTRY_PROTOCOL, REGISTRY_RATE_LIMIT or HTTP_STATUS.
 */
export async function refusalFor(response: HttpResponse, refused: Refused): Promise<LandfallError> {
  const { status } = response;
  const { what, host, origin } = refused;
  if (isHtml(response) && status !== 404 && status < 500) {
    await response.discard();
    return htmlError(host);
  }
  if (status === 404) return notFound(what, host, await codesOf(response));
  await response.discard();
  // What a content network refuses is no login matter: it was sent there without one.
  if (response.url.origin === origin && (status === 401 || status === 403)) {
    return noAccess(response, refused);
  }
  return statusError(response, `fetching ${what}`);
}

/** Whether an answer is a web page: a login page, a filter's notice, a parked domain. */
export function isHtml(response: HttpResponse): boolean {
  return /^(?:text\/html|application\/xhtml)/i.test(response.header('content-type') ?? '');
}

/** The refusal of an answer that is a web page. */
export function htmlError(host: string): LandfallError {
  return new LandfallError('REGISTRY_PROTOCOL', `${host} answers with a web page`, {
    hint: 'A login page or a filter of this network may answer in its place, or it is no registry. Open its address in a browser, or name a mirror or a proxy.',
  });
}

function notFound(what: string, host: string, codes: readonly string[]): LandfallError {
  return new LandfallError('IMAGE_NOT_FOUND', `${host} has no ${what}`, {
    hint: hintFor(codes, host),
  });
}

function hintFor(codes: readonly string[], host: string): string {
  if (codes.includes('MANIFEST_UNKNOWN')) {
    return 'The repository may be there without this tag or digest. Check the tag; old ones get removed.';
  }
  if (codes.includes('NAME_UNKNOWN')) return 'There is no such repository. Check its spelling.';
  return codes.length > 0
    ? 'Check the name and the tag.'
    : `Check the name and the tag, and that ${host} is a registry.`;
}

async function codesOf(response: HttpResponse): Promise<string[]> {
  try {
    const bytes = await response.bytes(maxErrorBytes);
    const { errors } = errorsSchema.parse(JSON.parse(bytes.toString('utf8')));
    return errors.map(({ code }) => code);
  } catch {
    return [];
  }
}

/** Many registries do not tell strangers whether an image exists. */
function noAccess(response: HttpResponse, { what, host, loggedIn }: Refused): LandfallError {
  if (loggedIn) {
    return new LandfallError('REGISTRY_AUTH', `${host} does not let this login read ${what}`, {
      hint: `The image may not exist, or the login may not reach it. Check the name, or run \`docker login ${host}\` again.`,
    });
  }
  if (response.status === 403 || isBeyondScope(response)) {
    return new LandfallError(
      'IMAGE_NOT_FOUND',
      `${host} does not hand out ${what}: it does not exist or is private`,
      { hint: `Check the name. For a private image run \`docker login ${host}\`.` },
    );
  }
  return new LandfallError('REGISTRY_AUTH', `${host} refuses ${what} with and without a token`, {
    hint: `Run \`docker login ${host}\`; if that does not help, the registry is set up wrongly.`,
  });
}

/** Docker Hub's answer for what a token does not cover (RFC 6750, section 3.1). */
function isBeyondScope(response: HttpResponse): boolean {
  return parseChallenges(response.header('www-authenticate')).some(
    ({ parameters }) => parameters.get('error') === 'insufficient_scope',
  );
}
