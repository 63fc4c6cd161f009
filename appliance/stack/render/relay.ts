import { runsRelay } from '#contract/site/chosen-images.ts';
import { providerKeyName } from '#contract/site/provider-key-name.ts';
import { relayKeyName } from '#contract/site/relay-key-name.ts';
import { sha256Hex } from '#contract/trust/digest.ts';
import { type RenderedFile, secretFile, uids } from '../rendered-file.ts';
import type { StackInput } from '../stack-input.ts';

/**
 * The relay's settings: who may ask, and where to. Of a relay key they have the SHA-256 alone; a
 * provider's key lies in a file of its own. They are kept from others all the same, because the
 * route may hold a proxy's password.
 */
export function renderRelay(input: StackInput): RenderedFile[] {
  if (!runsRelay(input.site)) return [];
  const { site, secrets } = input;
  const keys = Object.entries(relayKeys(input)).map(([name, key]) => ({
    name,
    sha256: sha256Hex(key),
  }));
  const known = Object.keys(site.providers).filter(
    (provider) => secrets[providerKeyName(provider)],
  );
  const providers = Object.fromEntries(
    Object.entries(site.providers).map(([name, { base_url }]) => [
      name,
      { base_url: base_url.replace(/\/$/, ''), key_file: keyFile(name) },
    ]),
  );
  const settings = { providers, keys, route: site.route };
  return [
    secretFile('relay/relay.json', `${JSON.stringify(settings, null, 2)}\n`, uids.relay),
    ...known.map((provider) =>
      secretFile(
        `relay/${keyFile(provider)}`,
        `${secrets[providerKeyName(provider)]}\n`,
        uids.relay,
      ),
    ),
  ];
}

function relayKeys({ site, secrets }: StackInput): Record<string, string> {
  return {
    owner: secrets.RELAY_KEY_OWNER ?? '',
    ...(Object.keys(site.providers).length > 0 ? { ui: secrets.RELAY_KEY_UI ?? '' } : {}),
    ...(site.components.chat ? { chat: secrets.RELAY_KEY_CHAT ?? '' } : {}),
    ...(site.components.lobe ? { lobe: secrets.RELAY_KEY_LOBE ?? '' } : {}),
    ...Object.fromEntries(
      site.relay.keys.map((client) => [client, secrets[relayKeyName(client)] ?? '']),
    ),
  };
}

function keyFile(provider: string): string {
  return `keys/${provider}`;
}
