import { providerKeyName } from '../secrets/secret-names.ts';
import { type RenderedFile, secretFile, uids } from './rendered-file.ts';
import type { StackInput } from './stack-input.ts';

/** The relay's settings: who may ask with which key, and where to with whose. */
export function renderRelay({ site, secrets }: StackInput): RenderedFile[] {
  const { chat, lobe } = site.components;
  const clients = [
    { name: 'owner', key: secrets.RELAY_KEY_OWNER ?? '' },
    ...(chat ? [{ name: 'chat', key: secrets.RELAY_KEY_CHAT ?? '' }] : []),
    ...(lobe ? [{ name: 'lobe', key: secrets.RELAY_KEY_LOBE ?? '' }] : []),
  ];
  const providers = Object.fromEntries(
    Object.entries(site.providers).map(([name, { base_url }]) => [
      name,
      { base_url, key: secrets[providerKeyName(name)] ?? '' },
    ]),
  );
  const settings = {
    listen: { host: '0.0.0.0', port: 8080 },
    clients,
    providers,
    route: site.route,
  };
  return [secretFile('relay/relay.json', `${JSON.stringify(settings, null, 2)}\n`, uids.relay)];
}
