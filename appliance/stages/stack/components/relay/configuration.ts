import { componentNames } from '#contract/component-names.ts';
import { components } from '#contract/components.ts';
import { relayUsageFolder } from '#contract/server-paths.ts';
import { hasRelayKey } from '#contract/site/enabled.ts';
import { providerKeyName, relayKeyName } from '#contract/site/key-names.ts';
import { effectiveRoute } from '#contract/site/network/effective-route.ts';
import { isKeyless } from '#contract/site/providers/provider-api.ts';
import { clientOf, hasRelayBudgets, relayClients } from '#contract/site/relay/relay-settings.ts';
import { contextOf } from '#contract/sizes/model-memory.ts';
import { sha256Hex } from '#contract/trust/digest.ts';
import { routeToProviders } from '../../../../server/host/own-machines.ts';
import { type RenderedFile, secretFile } from '../../rendered-file.ts';
import type { StackInput } from '../../stack-input.ts';
import { groupUrls } from '../balancer/configuration.ts';

/**
 * Renders the relay's settings: clients, providers, the route and the site's CA. Relay keys are stored
 * as SHA-256, and each provider key is in its own file. The settings are secret too, because the route
 * may contain the password of a proxy.
 */
export function renderRelay(input: StackInput): RenderedFile[] {
  const { site, secrets } = input;
  const keys = Object.entries(relayKeys(input)).map(([name, key]) => ({
    name,
    sha256: sha256Hex(key),
    ...termsOf(site, name),
  }));
  const known = [...Object.keys(site.providers), ...(site.hub ? ['hub'] : [])].filter(
    (provider) => secrets[providerKeyName(provider)],
  );
  const providers = Object.fromEntries(
    Object.entries(site.providers).map(([name, settings]) => [
      name,
      {
        base_url: settings.base_url.replace(/\/$/, ''),
        ...(settings.api ? { api: settings.api } : {}),
        key_file: keyFile(name),
        ...(isKeyless(settings) ? { keyless: true } : {}),
      },
    ]),
  );
  const hub = site.hub && {
    base_url: site.hub.base_url.replace(/\/$/, ''),
    key_file: keyFile('hub'),
  };
  const trust = site.ca === undefined ? {} : { ca_file: 'ca.pem' };
  const settings = {
    providers,
    ...(hub ? { hub } : {}),
    ...(site.relay.local ? { local: localModels(input) } : {}),
    keys,
    ...(site.relay.origins ? { origins: site.relay.origins } : {}),
    ...(hasRelayBudgets(site) ? { usage_folder: usageMount, gateway: gatewayName } : {}),
    route: routeToProviders(site, effectiveRoute(site, 'container')),
    ...trust,
  };
  return [
    secretFile('relay/relay.json', `${JSON.stringify(settings, null, 2)}\n`, 'relay'),
    ...(site.ca === undefined ? [] : [secretFile('relay/ca.pem', site.ca, 'relay')]),
    ...known.map((provider) =>
      secretFile(`relay/${keyFile(provider)}`, `${secrets[providerKeyName(provider)]}\n`, 'relay'),
    ),
  ];
}

/**
 * Ollama or HAProxy in the network that the relay shares with the UI: in their other one, containers
 * cannot reach each other.
 */
function localModels(input: StackInput): object {
  const urls = input.site.engines
    ? groupUrls(input, 'balancer.landfall_models')
    : [`http://engine.landfall_models:${components.engine.containerPort}`];
  const [base_url, ...list_urls] = urls;
  const { site, models, server } = input;
  // Other servers have a context of their own.
  const isKnown = !site.engines && models?.chat !== undefined;
  return {
    base_url,
    ...(list_urls.length > 0 ? { list_urls } : {}),
    ...(isKnown ? { context: contextOf(models.models, server, site) } : {}),
  };
}

/** In the network that the relay shares with the gateway. */
const gatewayName = 'gateway.landfall_inside';

/** Where `compose/relay/usage.yaml` mounts the usage. */
const usageMount = `/${relayUsageFolder}`;

/** Returns the limits of a client in the format of the relay's settings. */
function termsOf({ relay }: StackInput['site'], client: string): object {
  if (client === 'ui') {
    const { tokens_per_day_per_user: tokens_per_day } = relay.ui ?? {};
    return {
      chat_models: true,
      ...(tokens_per_day ? { budget_per_person: { tokens_per_day } } : {}),
    };
  }
  const key = relay.keys.find((each) => clientOf(each) === client);
  if (key === undefined || typeof key === 'string') return {};
  const { providers, models, expires, requests_per_minute, concurrency } = key;
  const { tokens_per_day, tokens_per_month, requests_per_day } = key;
  const budget = { tokens_per_day, tokens_per_month, requests_per_day };
  const hasBudget = Object.values(budget).some((limit) => limit !== undefined);
  // JSON leaves undefined fields out.
  return {
    providers,
    models,
    expires,
    ...(hasBudget ? { budget } : {}),
    ...(requests_per_minute || concurrency ? { limits: { requests_per_minute, concurrency } } : {}),
  };
}

function relayKeys({ site, secrets }: StackInput): Record<string, string> {
  return {
    owner: secrets.RELAY_KEY_OWNER ?? '',
    ...Object.fromEntries(
      [...componentNames.filter((name) => hasRelayKey(site, name)), ...relayClients(site)].map(
        (client) => [client, secrets[relayKeyName(client)] ?? ''],
      ),
    ),
  };
}

function keyFile(provider: string): string {
  return `keys/${provider}`;
}
