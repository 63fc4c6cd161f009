import { providerKeyName } from '#contract/site/key-names.ts';
import { fromHex } from '#contract/text/bytes.ts';
import type { Budgets } from './budget/account.ts';
import type { KeyTerms } from './budget/terms.ts';
import { endOf } from './budget/window.ts';
import type { RelayConfig } from './config.ts';
import { localName } from './destination.ts';
import type { RelayEnv } from './env.ts';
import type { Format } from './formats/format.ts';
import { ollama } from './formats/ollama.ts';
import { hub } from './formats/openai.ts';
import { formats } from './formats/request-format.ts';
import { KeyUsage } from './key-usage.ts';
import { ModelLists } from './models/model-lists.ts';
import { BodyPool } from './models/peek.ts';
import type { Provider, Send } from './provider.ts';

/** Functions that differ between a server and an edge platform. */
interface RelayPlatform {
  /** Returns the key of a provider, or undefined when it is not set. */
  readonly keyOf: (source: KeySource) => string | undefined;
  readonly send: Send;
  readonly log: RelayEnv['log'];
  /** Undefined on a platform without a disk, whose settings have no budgets. */
  readonly usage?: Pick<Budgets, 'usage' | 'personOf' | 'networkOf'> | undefined;
  /** Milliseconds since 1970. Default: the clock. */
  readonly now?: (() => number) | undefined;
}

/** Where the key of a provider is stored. */
export type KeySource = { readonly file: string } | { readonly variable: string };

type KeyedSettings = NonNullable<RelayConfig['hub']>;

/** Creates the environment of the handler from settings. */
export function openRelay(config: RelayConfig, platform: RelayPlatform): RelayEnv {
  const { keyOf, send, log, usage, now = Date.now } = platform;
  const open = (
    name: string,
    settings: KeyedSettings,
    format: Format,
    keyless = false,
  ): Provider => {
    const { base_url, key_file: file, key_env: variable = providerKeyName(name) } = settings;
    const key = usableKey(keyOf(file === undefined ? { variable } : { file }));
    // The server of a site has its keys in files.
    const setKey =
      file === undefined
        ? `set ${variable} of the relay`
        : `run \`sudo landfall secret set ${providerKeyName(name)}\` on the server`;
    return { name, format, baseUrl: withoutSlash(base_url), key, keyless, setKey };
  };
  const hosted = Object.entries(config.providers).map(([name, settings]) =>
    open(name, settings, formats[settings.api], settings.keyless),
  );
  const providers = [...hosted, ...localOf(config)];
  const refused = new Map(
    [...providers, { name: 'hub' }].map(({ name }) => [name, new Set<string>()]),
  );
  return {
    providers: new Map(providers.map((provider) => [provider.name, provider])),
    hub: config.hub && open('hub', config.hub, hub),
    defaultProvider: config.default_provider ?? providers[0]?.name,
    keys: config.keys.map((key) => ({
      name: key.name,
      sha256: fromHex(key.sha256),
      providers: key.providers && new Set(key.providers),
      limits: key.limits,
      chatModels: key.chat_models,
      terms: termsOf(key),
    })),
    origins: config.origins,
    usage: new KeyUsage({ max: config.concurrency }),
    models: new ModelLists(send),
    pool: new BodyPool(),
    budgets: {
      usage: usage?.usage,
      personOf: usage?.personOf ?? noPerson,
      networkOf: usage?.networkOf ?? noNetwork,
      now,
      refusedBy: (name) => refused.get(name) ?? new Set(),
    },
    timeouts: { firstByte: config.timeouts.first_byte * 1000, idle: config.timeouts.idle * 1000 },
    send,
    log,
  };
}

const noPerson = () => '';
const noNetwork = () => undefined;

function termsOf(key: RelayConfig['keys'][number]): KeyTerms | undefined {
  const { models, expires, budget, budget_per_person: perPerson } = key;
  if (!models && !expires && !budget && !perPerson) return undefined;
  // The key is valid until the end of its last day.
  const end = expires === undefined ? undefined : endOf('day', expires);
  return { models, expires: end, budget, perPerson };
}

function localOf({ local }: RelayConfig): Provider[] {
  if (!local) return [];
  const baseUrl = withoutSlash(local.base_url);
  const listUrls = local.list_urls.map(withoutSlash);
  const { context } = local;
  return [
    { name: localName, format: ollama, baseUrl, key: undefined, keyless: true, listUrls, context },
  ];
}

function withoutSlash(url: string): string {
  return url.replace(/\/+$/, '');
}

/** Returns a key that is valid in a header. A file may end with a line break. */
function usableKey(text = ''): string | undefined {
  const key = text.trim();
  return /^[\x21-\x7e]{1,1024}$/.test(key) ? key : undefined;
}
