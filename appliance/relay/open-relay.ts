import { providerKeyName } from '#contract/site/key-names.ts';
import { fromHex } from '#contract/text/bytes.ts';
import { hubName } from './admit.ts';
import type { RelayConfig } from './config.ts';
import type { Provider, RelayEnv, Send } from './env.ts';
import { KeyUsage } from './key-usage.ts';

/** Functions that differ between a server and an edge platform. */
interface RelayPlatform {
  /** Returns the key of a provider, or undefined when it is not set. */
  readonly keyOf: (source: KeySource) => string | undefined;
  readonly send: Send;
  readonly log: RelayEnv['log'];
}

/** Where the key of a provider is stored. */
export type KeySource = { readonly file: string } | { readonly variable: string };

type ProviderSettings = RelayConfig['providers'][string];

/** Creates the environment of the handler from settings. */
export function openRelay(config: RelayConfig, { keyOf, send, log }: RelayPlatform): RelayEnv {
  const open = (name: string, settings: ProviderSettings): Provider => {
    const { base_url: base, key_file: file, key_env: variable = providerKeyName(name) } = settings;
    const key = usableKey(keyOf(file === undefined ? { variable } : { file }));
    return { name, baseUrl: base.replace(/\/+$/, ''), key };
  };
  const providers = Object.entries(config.providers).map(([name, settings]) => {
    return [name, open(name, settings)] as const;
  });
  return {
    providers: new Map(providers),
    hub: config.hub && open(hubName, config.hub),
    defaultProvider: config.default_provider ?? providers[0]?.[0],
    keys: config.keys.map(({ name, sha256, providers: allowed, limits }) => ({
      name,
      sha256: fromHex(sha256),
      providers: allowed && new Set(allowed),
      limits,
    })),
    usage: new KeyUsage({ max: config.concurrency }),
    timeouts: { firstByte: config.timeouts.first_byte * 1000, idle: config.timeouts.idle * 1000 },
    send,
    log,
  };
}

/** Returns a key that is valid in a header. A file may end with a line break. */
function usableKey(text = ''): string | undefined {
  const key = text.trim();
  return /^[\x21-\x7e]{1,1024}$/.test(key) ? key : undefined;
}
