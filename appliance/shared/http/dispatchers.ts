import type { SecureContext } from 'node:tls';
import { Agent, type Dispatcher, Pool, ProxyAgent, Socks5ProxyAgent } from 'undici';
import { readCertificates, trustContext } from './certificates.ts';
import {
  defaultTimeouts,
  type NetworkOptions,
  type SettingsOrigin,
  type Timeouts,
} from './options.ts';
import { chooseProxy, type ProxyServer } from './proxy.ts';

/** A dispatcher for one destination. */
interface Route {
  readonly dispatcher: Dispatcher;
  /** Host of the proxy, without credentials. */
  readonly proxy: string | undefined;
}

/** The connections of a client: one dispatcher for direct connections and one per proxy. */
export class Dispatchers {
  readonly timeouts: Timeouts;
  readonly settings: SettingsOrigin;
  readonly #options: NetworkOptions;
  readonly #routes = new Map<string, Route>();
  #trust: SecureContext | undefined;

  constructor(options: NetworkOptions) {
    this.#options = options;
    this.settings = options.settings ?? 'command';
    this.timeouts = { ...defaultTimeouts, ...options.timeouts };
  }

  /**
   * Returns the route to a URL. @throws LandfallError NETWORK_PROXY for an invalid proxy setting
   */
  routeTo(url: URL): Route {
    const proxy = chooseProxy(url, this.#options);
    const key = proxy?.url.href ?? `direct ${url.protocol}`;
    const known = this.#routes.get(key);
    if (known !== undefined) return known;
    const route = {
      dispatcher: proxy === undefined ? this.#direct(url) : this.#through(proxy),
      proxy: proxy?.url.host,
    };
    this.#routes.set(key, route);
    return route;
  }

  /** Closes all connections. */
  async close(): Promise<void> {
    const routes = [...this.#routes.values()];
    this.#routes.clear();
    await Promise.all(routes.map(({ dispatcher }) => dispatcher.destroy()));
  }

  #direct(url: URL): Dispatcher {
    const secureContext = url.protocol === 'https:' ? this.#secureContext() : undefined;
    return new Agent({ ...this.#common(), connect: this.#connection(secureContext) });
  }

  #through(proxy: ProxyServer): Dispatcher {
    const tls = this.#connection(this.#secureContext());
    const { username, password } = proxy;
    if (proxy.kind === 'socks5') {
      // undici supports `socks5:` only, and always lets the proxy resolve names, like `socks5h:`.
      const url = new URL(`socks5://${proxy.url.host}`);
      const login = username === '' ? {} : { username, password };
      return socksAgent(url, { ...this.#common(), ...login, requestTls: tls });
    }
    return new ProxyAgent({
      ...this.#common(),
      uri: proxy.url.href,
      ...(username === '' ? {} : { token: basic(username, password) }),
      requestTls: tls,
      proxyTls: tls,
      // A separate client requests the tunnel; its default timeout is five minutes.
      clientFactory: (origin, options) => new Pool(origin, { ...options, ...this.#common() }),
    });
  }

  #common() {
    const { connect, headers, body } = this.timeouts;
    // HTTP/1.1 only: one connection per download gives the highest throughput over long distances.
    return { allowH2: false, headersTimeout: headers, bodyTimeout: body, connectTimeout: connect };
  }

  #connection(secureContext: SecureContext | undefined) {
    return {
      timeout: this.timeouts.connect,
      allowH2: false,
      // Node's default of 250 ms per address is too short for intercontinental connections.
      autoSelectFamilyAttemptTimeout: Math.min(2500, this.timeouts.connect),
      ...(secureContext === undefined ? {} : { secureContext }),
    };
  }

  #secureContext(): SecureContext {
    const { ca } = this.#options;
    this.#trust ??= trustContext(ca === undefined ? [] : readCertificates(ca));
    return this.#trust;
  }
}

function basic(username: string, password: string): string {
  return `Basic ${Buffer.from(`${username}:${password}`).toString('base64')}`;
}

type Inputs = ConstructorParameters<typeof Socks5ProxyAgent>;

/**
 * Creates a dispatcher for a SOCKS5 proxy, without undici's warning that its support is experimental:
 * users cannot act on it, and it would appear between the lines of a command.
 */
function socksAgent(...inputs: Inputs): Socks5ProxyAgent {
  const { emitWarning } = process;
  process.emitWarning = () => {};
  try {
    return new Socks5ProxyAgent(...inputs);
  } finally {
    process.emitWarning = emitWarning;
  }
}
