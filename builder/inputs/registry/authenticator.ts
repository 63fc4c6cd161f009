import { z } from 'zod';
import { LandfallError } from '#contract/errors.ts';
import { parseJson } from '#contract/text/json.ts';
import type { HttpClient, HttpRequest, HttpResponse } from '#http/client.ts';
import { safeUrl } from '#http/safe-url.ts';
import { statusError } from '#http/status.ts';
import { type Challenge, parseChallenges } from './challenge.ts';
import type { CredentialStore, Credentials } from './credentials.ts';
import { isLoopback, isPrivate } from './loopback.ts';

interface AuthenticatorParts {
  readonly http: HttpClient;
  /** The registry or mirror to authenticate with. */
  readonly base: URL;
  /** The host under which its login is stored. */
  readonly host: string;
  readonly credentials: CredentialStore;
  /** Returns milliseconds; replaced in tests. */
  readonly now?: (() => number) | undefined;
}

interface Pass {
  /** Value of the Authorization header. */
  readonly value: string;
  /** Expiry in milliseconds, on the clock of `now`. */
  readonly until: number;
}

/** A token is not used in its last seconds, because the request takes time as well. */
const marginMs = 10_000;

/**
 * Handles authentication challenges of a registry and caches the result: a token per scope until
 * it expires, a password without limit. Concurrent rejected requests share one token request.
 */
export class Authenticator {
  readonly #parts: AuthenticatorParts;
  readonly #passes = new Map<string, Promise<Pass>>();
  readonly #now: () => number;

  constructor(parts: AuthenticatorParts) {
    this.#parts = parts;
    this.#now = parts.now ?? Date.now;
  }

  /** Returns the cached Authorization value of a scope, unless it has expired. */
  async known(scope: string): Promise<string | undefined> {
    const pass = await this.#passes.get(scope)?.catch(() => undefined);
    return pass && pass.until > this.#now() ? pass.value : undefined;
  }

  /**
   * Returns a new Authorization value after a 401.
   * @param demand the WWW-Authenticate header of the response
   * @param refused the value that was sent and rejected
   * @throws LandfallError REGISTRY_AUTH without a login, REGISTRY_CREDENTIALS, REGISTRY_PROTOCOL
   */
  async answer(demand: string | undefined, scope: string, refused?: string): Promise<string> {
    const under = this.#passes.get(scope);
    const known = await this.known(scope);
    if (known !== undefined && known !== refused) return known;
    // A concurrent request may have started a token request in the meantime.
    const asking = this.#passes.get(scope);
    if (asking !== undefined && asking !== under) return (await asking).value;
    const fresh = this.#pass(parseChallenges(demand), scope, refused);
    this.#passes.set(scope, fresh);
    return (await fresh).value;
  }

  async #pass(challenges: readonly Challenge[], scope: string, refused?: string): Promise<Pass> {
    const bearer = challenges.find(({ scheme }) => scheme === 'bearer');
    if (bearer) return this.#token(bearer, scope);
    if (challenges.some(({ scheme }) => scheme === 'basic')) return this.#password(refused);
    throw new LandfallError(
      'REGISTRY_PROTOCOL',
      `${this.#parts.host} requires an unsupported authentication scheme`,
      {
        hint: 'Check the network for a proxy or a filter; supported schemes are Basic and Bearer.',
      },
    );
  }

  async #token({ parameters }: Challenge, scope: string): Promise<Pass> {
    const { http, base, host, credentials } = this.#parts;
    const token = await fetchToken(http, {
      realm: parameters.get('realm') ?? '',
      service: parameters.get('service'),
      scope: parameters.get('scope') ?? scope,
      credentials: await credentials.for(host),
      registry: base,
    });
    const lifetime = token.lifetime * 1000 - marginMs;
    return { value: `Bearer ${token.value}`, until: this.#now() + lifetime };
  }

  async #password(refused?: string): Promise<Pass> {
    const { host, credentials } = this.#parts;
    const login = await credentials.for(host);
    if (login?.kind !== 'password') throw noLogin(host, login);
    const value = basic(login);
    if (value === refused) {
      throw new LandfallError('REGISTRY_AUTH', `${host} rejected the stored login`, {
        hint: `Run \`docker login ${host}\` again.`,
      });
    }
    return { value, until: Number.POSITIVE_INFINITY };
  }
}

function noLogin(host: string, login: Credentials | undefined): LandfallError {
  return new LandfallError(
    'REGISTRY_AUTH',
    login ? `${host} requires a password, but only a token is stored` : `${host} requires a login`,
    { hint: `Run \`docker login ${host}\`; Landfall uses the login that it stores.` },
  );
}

/** A request to the token service of a registry. */
interface TokenRequest {
  /** URL of the token service, as the registry sent it. */
  readonly realm: string;
  readonly service: string | undefined;
  readonly scope: string;
  /** The login; absent for anonymous access. */
  readonly credentials: Credentials | undefined;
  /** The registry that named the realm. */
  readonly registry: URL;
}

interface Token {
  readonly value: string;
  /** Seconds. */
  readonly lifetime: number;
}

const maxAnswerBytes = 256 * 1024;
/** The default lifetime of the specification. */
const defaultLifetime = 60;
const maxLifetime = 24 * 60 * 60;

const answerSchema = z
  .object({
    token: z.string().optional(),
    access_token: z.string().optional(),
    expires_in: z.number().nullish(),
  })
  .transform(({ token, access_token, expires_in }) => ({
    value: token || access_token || '',
    lifetime: Math.min(Math.max(expires_in ?? defaultLifetime, 0), maxLifetime),
  }))
  // The token is sent in a header, so spaces and control characters are rejected.
  .refine(({ value }) => /^[\x21-\x7e]+$/.test(value));

/**
 * Requests an access token (distribution's "Token Authentication" and "OAuth2"): with GET for
 * anonymous or password access, with a POST form for an identity token.
 * @throws LandfallError REGISTRY_AUTH, REGISTRY_PROTOCOL, REGISTRY_RATE_LIMIT, HTTP_STATUS,
 * NETWORK_…
 */
export async function fetchToken(http: HttpClient, request: TokenRequest): Promise<Token> {
  const realm = realmOf(request);
  const response = await http.send(tokenRequest(realm, request));
  if (response.status === 200) return readAnswer(response, realm);
  await response.discard();
  throw refusal(response, realm, request);
}

/** Returns the Authorization value for a user name and password (RFC 7617). */
function basic(credentials: { username: string; password: string }): string {
  const { username, password } = credentials;
  return `Basic ${Buffer.from(`${username}:${password}`, 'utf8').toString('base64')}`;
}

/** Returns the realm if it is safe for credentials; the registry chooses it, so it is untrusted. */
function realmOf({ realm, registry }: TokenRequest): URL {
  const url = URL.canParse(realm) ? new URL(realm) : undefined;
  if (url && isPrivate(url) && (!isLoopback(url) || isLoopback(registry))) return url;
  throw new LandfallError('REGISTRY_PROTOCOL', `${registry.host} has an insecure token realm`, {
    hint: 'Ask the administrator of the registry to set an https URL as its token realm; no password was sent.',
    problems: url ? [{ message: `the realm is ${safeUrl(url)}` }] : [],
  });
}

function tokenRequest(realm: URL, { credentials, scope, service }: TokenRequest): HttpRequest {
  const fields = { ...(service === undefined ? {} : { service }), scope };
  if (credentials?.kind === 'identity') {
    const { token } = credentials;
    const grant = { grant_type: 'refresh_token', client_id: 'landfall', refresh_token: token };
    return {
      ...{ url: realm, method: 'POST' },
      body: new URLSearchParams({ ...fields, ...grant }).toString(),
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
    };
  }
  const url = new URL(realm);
  for (const [name, value] of Object.entries(fields)) url.searchParams.set(name, value);
  return { url, authorization: credentials && basic(credentials) };
}

async function readAnswer(response: HttpResponse, realm: URL): Promise<Token> {
  const parsed = answerSchema.safeParse(parseJson(await response.text(maxAnswerBytes)));
  if (parsed.success) return parsed.data;
  throw new LandfallError('REGISTRY_PROTOCOL', `${safeUrl(realm)} returned no token`, {
    hint: 'Open the address in a browser to check for a login page or a filter.',
  });
}

function refusal(response: HttpResponse, realm: URL, request: TokenRequest): LandfallError {
  const { status } = response;
  if (![400, 401, 403].includes(status)) {
    return statusError(response, `requesting a token for ${request.registry.host}`);
  }
  const { host } = request.registry;
  return request.credentials
    ? new LandfallError('REGISTRY_AUTH', `${realm.host} rejected the login for ${host}`, {
        hint: `Run \`docker login ${host}\` again; the login may have expired or lack access to this image.`,
      })
    : new LandfallError(
        'REGISTRY_AUTH',
        `${host} denied anonymous access: the image is private or does not exist`,
        { hint: `Check the name. For a private image run \`docker login ${host}\`.` },
      );
}
