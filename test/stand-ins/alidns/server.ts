import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import type { IncomingMessage } from 'node:http';
import { createServer, type Server } from 'node:https';
import { text } from 'node:stream/consumers';
import type { Pair } from '../../../appliance/server/certificates/pair.ts';
import { type Account, ApiError, type TextRecord } from './account.ts';
import { Zones } from './actions.ts';
import { type SignedRequest, signatureFault } from './signature.ts';

/** Requests may be this old. Milliseconds. */
const maxAge = 15 * 60_000;

interface ServerOptions {
  readonly address: string;
  readonly pair: Pair;
  readonly publish: (records: readonly TextRecord[]) => Promise<void>;
}

/**
 * A stand-in for the API of Alibaba Cloud DNS (version 2015-01-09) with the actions that lego uses. It verifies
 * the signature, the time and the nonce of each request, and the parameters of each action.
 */
export class AlidnsApi {
  /** The account; a test replaces it to change rights or keys. */
  account: Account;
  /** The actions of accepted requests, in order. */
  readonly actions: string[] = [];
  readonly #server: Server;
  readonly #nonces = new Set<string>();
  readonly #publish: ServerOptions['publish'];
  #zones: Zones;

  private constructor(account: Account, { pair, publish }: ServerOptions) {
    this.account = account;
    this.#publish = publish;
    this.#zones = new Zones(account, publish);
    this.#server = createServer({ cert: pair.chain, key: pair.key }, async (request, response) => {
      const { status, body } = await this.#answer(await received(request));
      response.writeHead(status, { 'content-type': 'application/json;charset=utf-8' });
      response.end(JSON.stringify({ RequestId: randomUUID().toUpperCase(), ...body }));
    });
  }

  static async start(account: Account, options: ServerOptions): Promise<AlidnsApi> {
    const api = new AlidnsApi(account, options);
    api.#server.listen(443, options.address);
    await once(api.#server, 'listening');
    return api;
  }

  /** Replaces the account, whose records are lost. */
  use(account: Account): void {
    this.account = account;
    this.#zones = new Zones(account, this.#publish);
  }

  async stop(): Promise<void> {
    this.#server.closeAllConnections();
    this.#server.close();
    await once(this.#server, 'close');
  }

  async #answer(request: SignedRequest): Promise<{ status: number; body: object }> {
    try {
      const action = this.#check(request);
      const { searchParams } = new URL(request.target, 'https://alidns');
      const body = await this.#zones.run(action, Object.fromEntries(searchParams));
      this.actions.push(action);
      return { status: 200, body };
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      return { status: error.status, body: { Code: error.code, Message: error.message } };
    }
  }

  /** Returns the action of a valid request. @throws ApiError */
  #check(request: SignedRequest): string {
    const { headers, method, target } = request;
    if (method !== 'POST' || !/^\/(?:\?|$)/.test(target)) {
      throw new ApiError(404, 'InvalidAction.NotFound', 'Specified api is not found.');
    }
    if (headers['x-acs-version'] !== '2015-01-09') {
      throw new ApiError(400, 'InvalidVersion', 'Specified parameter Version is not valid.');
    }
    const time = headers['x-acs-date'] ?? '';
    const age = Math.abs(Date.now() - Date.parse(time));
    if (!/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/.test(time) || age > maxAge) {
      throw new ApiError(400, 'InvalidTimeStamp.Expired', 'Specified time stamp is expired.');
    }
    const fault = signatureFault(request, this.account.key);
    if (fault !== undefined) throw new ApiError(...faults(fault));
    this.#checkToken(headers['x-acs-security-token']);
    const nonce = headers['x-acs-signature-nonce'] ?? '';
    if (nonce === '' || this.#nonces.has(nonce)) {
      throw new ApiError(400, 'SignatureNonceUsed', 'Specified signature nonce was used already.');
    }
    this.#nonces.add(nonce);
    return headers['x-acs-action'] ?? '';
  }

  #checkToken(given: string | undefined): void {
    const { token } = this.account;
    if (given !== token?.value) {
      const message = 'Specified SecurityToken is malformed.';
      throw new ApiError(400, 'InvalidSecurityToken.Malformed', message);
    }
    if (token !== undefined && token.expires.getTime() < Date.now()) {
      const message = 'Specified SecurityToken is expired.';
      throw new ApiError(400, 'InvalidSecurityToken.Expired', message);
    }
  }
}

function faults(code: string): [status: number, code: string, message: string] {
  if (code === 'InvalidAccessKeyId.NotFound') {
    return [404, code, 'Specified access key is not found.'];
  }
  if (code === 'SignatureDoesNotMatch') {
    return [400, code, 'Specified signature does not match our calculation.'];
  }
  return [400, code, 'The request signature does not conform to Aliyun standards.'];
}

async function received(request: IncomingMessage): Promise<SignedRequest> {
  const headers = Object.entries(request.headersDistinct).map(
    ([name, values]) => [name, values?.join(',')] as const,
  );
  return {
    method: request.method ?? '',
    target: request.url ?? '',
    headers: Object.fromEntries(headers),
    body: await text(request),
  };
}
