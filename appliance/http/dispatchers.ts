import type { SecureContext } from 'node:tls';
import { Agent, type Dispatcher, Pool, ProxyAgent, Socks5ProxyAgent } from 'undici';
import { defaultTimeouts, type NetworkOptions, type Settings, type Timeouts } from './options.ts';
import { chooseProxy, type ProxyServer } from './proxy.ts';
import { trustContext } from './trust.ts';

/** What carries requests to one place. */
interface Route {
  readonly dispatcher: Dispatcher;
  /** The proxy in between, as it may be shown. */
  readonly proxy: string | undefined;
}

/** The connections of a client: one dispatcher for direct ones and one for each proxy. */
export class Dispatchers {
  readonly timeouts: Timeouts;
  readonly settings: Settings;
  readonly #options: NetworkOptions;
  readonly #routes = new Map<string, Route>();
  #trust: SecureContext | undefined;

  constructor(options: NetworkOptions) {
    this.#options = options;
    this.settings = options.settings ?? 'command';
    this.timeouts = { ...defaultTimeouts, ...options.timeouts };
    // Told at once, not at the first https request.
    if (options.ca !== undefined) this.#secureContext();
  }

  /** @throws LandfallError NETWORK_PROXY when a proxy is set wrongly */
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

  /** Cuts every connection. */
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
      // undici knows `socks5:` only, and always lets the proxy resolve names, as `socks5h:` asks.
      const url = new URL(`socks5://${proxy.url.host}`);
      const login = username === '' ? {} : { username, password };
      return new Socks5ProxyAgent(url, { ...this.#common(), ...login, requestTls: tls });
    }
    return new ProxyAgent({
      ...this.#common(),
      uri: proxy.url.href,
      ...(username === '' ? {} : { token: basic(username, password) }),
      requestTls: tls,
      proxyTls: tls,
      // The tunnel is asked for by a client of its own, which would wait five minutes.
      clientFactory: (origin, options) => new Pool(origin, { ...options, ...this.#common() }),
    });
  }

  #common() {
    const { connect, headers, body } = this.timeouts;
    // HTTP/1.1 only: a connection for each download is what carries most over long distances.
    return { allowH2: false, headersTimeout: headers, bodyTimeout: body, connectTimeout: connect };
  }

  #connection(secureContext: SecureContext | undefined) {
    return {
      timeout: this.timeouts.connect,
      allowH2: false,
      // Node gives an address 250 ms before it tries the next, too little across an ocean.
      autoSelectFamilyAttemptTimeout: Math.min(2500, this.timeouts.connect),
      ...(secureContext === undefined ? {} : { secureContext }),
    };
  }

  #secureContext(): SecureContext {
    this.#trust ??= trustContext(this.#options.ca);
    return this.#trust;
  }
}

function basic(username: string, password: string): string {
  return `Basic ${Buffer.from(`${username}:${password}`).toString('base64')}`;
}
