import { LandfallError } from '#contract/errors.ts';
import type { HttpClient } from '#http/client.ts';
import { type Challenge, parseChallenges } from './challenge.ts';
import type { CredentialStore, Credentials } from './credentials.ts';
import { basic, fetchToken } from './token.ts';

interface AuthenticatorParts {
  readonly http: HttpClient;
  /** The registry, or the mirror, whose requests are to be let through. */
  readonly base: URL;
  /** The host under which a login for it is kept. */
  readonly host: string;
  readonly credentials: CredentialStore;
  /** Milliseconds; for tests. */
  readonly now?: (() => number) | undefined;
}

interface Pass {
  /** The value of Authorization. */
  readonly value: string;
  /** Milliseconds of `now`. */
  readonly until: number;
}

/** A token is not used in its last seconds: the request takes time as well. */
const marginMs = 10_000;

/**
 * Answers a registry's demand to log in, and remembers what let it through: a token for its scope
 * until it expires, a password for good. Requests that are refused at the same time share one
 * token.
 */
export class Authenticator {
  readonly #parts: AuthenticatorParts;
  readonly #passes = new Map<string, Promise<Pass>>();
  readonly #now: () => number;

  constructor(parts: AuthenticatorParts) {
    this.#parts = parts;
    this.#now = parts.now ?? Date.now;
  }

  /** The value of Authorization that last worked for a scope, if it still may. */
  async known(scope: string): Promise<string | undefined> {
    const pass = await this.#passes.get(scope)?.catch(() => undefined);
    return pass && pass.until > this.#now() ? pass.value : undefined;
  }

  /**
   * A fresh value of Authorization after a 401.
   * @param demand the WWW-Authenticate header of the answer
   * @param refused the value that was sent and refused
   * @throws LandfallError REGISTRY_AUTH when there is none, REGISTRY_CREDENTIALS, REGISTRY_PROTOCOL
   */
  async answer(demand: string | undefined, scope: string, refused?: string): Promise<string> {
    const under = this.#passes.get(scope);
    const known = await this.known(scope);
    if (known !== undefined && known !== refused) return known;
    // Somebody else may have asked while this one looked.
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
      `${this.#parts.host} wants a login of an unknown kind`,
      {
        hint: 'Known are Basic and Bearer. A proxy or a filter on the way may be asking in its place.',
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
      throw new LandfallError('REGISTRY_AUTH', `${host} does not accept the login kept for it`, {
        hint: `Run \`docker login ${host}\` again.`,
      });
    }
    return { value, until: Number.POSITIVE_INFINITY };
  }
}

function noLogin(host: string, login: Credentials | undefined): LandfallError {
  return new LandfallError(
    'REGISTRY_AUTH',
    login ? `${host} wants a password, and only a token is kept` : `${host} wants a login`,
    { hint: `Run \`docker login ${host}\`; Landfall reads what that writes.` },
  );
}
