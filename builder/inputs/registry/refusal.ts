import { LandfallError } from '#contract/errors.ts';
import type { HttpResponse } from '#http/client.ts';
import { statusError } from '#http/status.ts';
import { parseChallenges } from './challenge.ts';

/** The rejected request. */
interface Refused {
  /** `nginx:1.30`, or a blob of it. */
  readonly what: string;
  /** The registry's host as users write it. */
  readonly host: string;
  /** Whether a login was used. */
  readonly loggedIn: boolean;
  /** The origin of the request. A redirect may lead to another origin. */
  readonly origin: string;
}

/**
 * Returns the error for an unexpected response. Consumes its body. Codes: IMAGE_NOT_FOUND,
 * REGISTRY_AUTH, REGISTRY_PROTOCOL, REGISTRY_RATE_LIMIT or HTTP_STATUS.
 */
export async function refusalFor(response: HttpResponse, refused: Refused): Promise<LandfallError> {
  const { status } = response;
  const { what, host, origin } = refused;
  await response.discard();
  if (isHtml(response) && status !== 404 && status < 500) return htmlError(host);
  if (status === 404) {
    return new LandfallError('IMAGE_NOT_FOUND', `${host} does not have ${what}`, {
      hint: `Check the name and the tag or digest, and that ${host} is a registry.`,
    });
  }
  // A CDN does not authenticate with the registry's login, so its 401 or 403 is not about the
  // login.
  if (response.url.origin === origin && (status === 401 || status === 403)) {
    return noAccess(response, refused);
  }
  return statusError(response, `fetching ${what}`);
}

/** Returns whether a response is a web page: a login page, a filter's notice, a parked domain. */
export function isHtml(response: HttpResponse): boolean {
  return /^(?:text\/html|application\/xhtml)/i.test(response.header('content-type') ?? '');
}

/** Returns the error for a response that is a web page. */
export function htmlError(host: string): LandfallError {
  return new LandfallError('REGISTRY_PROTOCOL', `${host} returned a web page`, {
    hint: 'Open its address in a browser to check for a login page or a filter, or configure a mirror or a proxy.',
  });
}

/** Many registries do not disclose whether an image exists to unauthenticated clients. */
function noAccess(response: HttpResponse, { what, host, loggedIn }: Refused): LandfallError {
  if (loggedIn) {
    return new LandfallError(
      'REGISTRY_AUTH',
      `${host} denied access to ${what} for the stored login`,
      {
        hint: `Check the name and the permissions of the login, or run \`docker login ${host}\` again.`,
      },
    );
  }
  if (response.status === 403 || isBeyondScope(response)) {
    return new LandfallError(
      'IMAGE_NOT_FOUND',
      `${host} denied access to ${what}: it does not exist or is private`,
      { hint: `Check the name. For a private image run \`docker login ${host}\`.` },
    );
  }
  return new LandfallError(
    'REGISTRY_AUTH',
    `${host} rejected the request for ${what} with and without a token`,
    {
      hint: `Run \`docker login ${host}\`, or check the configuration of the registry.`,
    },
  );
}

/** Docker Hub's response when a token does not cover the repository (RFC 6750, section 3.1). */
function isBeyondScope(response: HttpResponse): boolean {
  return parseChallenges(response.header('www-authenticate')).some(
    ({ parameters }) => parameters.get('error') === 'insufficient_scope',
  );
}
