import { LandfallError } from '#contract/errors.ts';
import type { HttpClient } from '#http/client.ts';
import { type Challenge, parseChallenges } from './challenge.ts';
import type { CredentialStore, Credentials } from './credentials.ts';
import { basic, fetchToken } from './token.ts';

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
