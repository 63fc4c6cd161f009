import { componentNames } from '#contract/component-names.ts';
import { hasRelayKey } from '#contract/site/enabled.ts';
import { providerKeyName, relayKeyName } from '#contract/site/key-names.ts';
import { effectiveRoute } from '#contract/site/network/effective-route.ts';
import { sha256Hex } from '#contract/trust/digest.ts';
import { type RenderedFile, secretFile } from '../../rendered-file.ts';
import type { StackInput } from '../../stack-input.ts';

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
  }));
  const known = [...Object.keys(site.providers), ...(site.hub ? ['hub'] : [])].filter(
    (provider) => secrets[providerKeyName(provider)],
  );
  const providers = Object.fromEntries(
    Object.entries(site.providers).map(([name, { base_url }]) => [
      name,
      { base_url: base_url.replace(/\/$/, ''), key_file: keyFile(name) },
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
    keys,
    route: effectiveRoute(site, 'container'),
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

function relayKeys({ site, secrets }: StackInput): Record<string, string> {
  return {
    owner: secrets.RELAY_KEY_OWNER ?? '',
    ...Object.fromEntries(
      [...componentNames.filter((name) => hasRelayKey(site, name)), ...site.relay.keys].map(
        (client) => [client, secrets[relayKeyName(client)] ?? ''],
      ),
    ),
  };
}

function keyFile(provider: string): string {
  return `keys/${provider}`;
}
