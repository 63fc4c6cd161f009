import { checkServerIdentity, type PeerCertificate } from 'node:tls';
import { Agent, buildConnector } from 'undici';
import type { EngineNode } from '#contract/site/engines/engines.ts';
import { hostOf } from '#contract/site/engines/rules.ts';
import { decodeUtf8, readAtMost } from '#contract/text/bytes.ts';
import { parseJson } from '#contract/text/json.ts';
import { ipVersion } from '#platform/ip.ts';
import type { Pair } from '../../server/certificates/pair.ts';
import { trustBundle } from '../../server/certificates/trust.ts';
import { hostForNodes } from './names.ts';

/** Maximum size of a response, in bytes. */
const maxAnswer = 8 << 20;

/** How this server and its nodes verify each other. */
export interface NodeTrust {
  /** The authorities of the site. */
  readonly ca: string | undefined;
  /** HAProxy's client certificate. */
  readonly client: Pair | undefined;
}

/** Sends requests to a node from this server, and verifies it as HAProxy does. */
export class NodeClient {
  readonly #agent: Agent;
  readonly #origin: string;
  readonly #timeout: number;

  /** @param timeout of a request, in milliseconds */
  constructor(node: EngineNode, trust: NodeTrust, timeout: number) {
    this.#origin = new URL(node.url).origin;
    this.#timeout = timeout;
    this.#agent = agentFor(node, trust, timeout);
  }

  /**
   * Requests a path and parses the JSON of the response.
   * @param body sent with POST
   * @throws Error for another status than 200
   */
  async ask(path: string, body?: object): Promise<unknown> {
    const { statusCode, body: answer } = await this.#agent.request({
      ...{ origin: this.#origin, path, method: body ? 'POST' : 'GET' },
      headers: { host: hostForNodes, 'content-type': 'application/json' },
      body: body ? JSON.stringify(body) : null,
      signal: AbortSignal.timeout(this.#timeout),
    });
    const text = decodeUtf8(await readAtMost(answer, maxAnswer));
    if (statusCode !== 200) throw new Error(`${path} returned the status ${statusCode}`);
    return parseJson(text);
  }

  async close(): Promise<void> {
    await this.#agent.destroy();
  }
}

/** HAProxy verifies the chain and, for a name, the name: so does this. */
function agentFor({ url, ca }: EngineNode, trust: NodeTrust, timeout: number): Agent {
  const host = hostOf(url);
  const isAddress = ipVersion(host) !== 0;
  const authorities = ca ?? trustBundle({ ca: trust.ca });
  const connect = buildConnector({
    timeout: Math.min(timeout, 10_000),
    ...(authorities === undefined ? {} : { ca: authorities }),
    ...(trust.client === undefined ? {} : { cert: trust.client.chain, key: trust.client.key }),
    checkServerIdentity: (_name: string, certificate: PeerCertificate) =>
      isAddress ? undefined : checkServerIdentity(host, certificate),
  });
  return new Agent({
    headersTimeout: timeout,
    bodyTimeout: timeout,
    // undici would take the name for TLS from the Host header.
    connect: (options, callback) =>
      connect({ ...options, servername: isAddress ? '' : host }, callback),
  });
}
