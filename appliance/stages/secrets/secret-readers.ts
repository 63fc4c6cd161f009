import { componentNames, componentOf } from '#contract/component-names.ts';
import type { ComponentName } from '#contract/components.ts';
import { dnsVariables } from '#contract/site/certificates/dns-providers.ts';
import { dnsProviderOf } from '#contract/site/certificates/tls.ts';
import { hasRelayKey, isEnabled } from '#contract/site/enabled.ts';
import { providerKeyName, relayKeyName } from '#contract/site/key-names.ts';
import { relayClients } from '#contract/site/relay/relay-settings.ts';
import type { Site } from '#contract/site/site.ts';

/**
 * Returns the components that read a secret of the stack, and restart when its value changes; none if this
 * site does not use it.
 */
export function readersOf(site: Site, name: string): ComponentName[] {
  return componentNames.filter(
    (component) => isEnabled(site, component) && secretsRead(site, component).includes(name),
  );
}

function secretsRead(site: Site, component: ComponentName): string[] {
  const own = (componentOf(component).secrets ?? [])
    .map(({ name }) => name)
    .filter((name) => !isReplaced(site, name));
  if (component === 'acme') return [...dnsVariables(dnsProviderOf(site.tls) ?? '')];
  if (component === 'relay') return [...own, ...secretsOfRelay(site)];
  return hasRelayKey(site, component) ? [...own, relayKeyName(component)] : own;
}

/** The login of the proxy can be a setting of the site. */
function isReplaced({ tinyproxy }: Site, name: string): boolean {
  if (name === 'TINYPROXY_USERNAME') return Boolean(tinyproxy.open || tinyproxy.username);
  return name === 'TINYPROXY_PASSWORD' && tinyproxy.open !== undefined;
}

function secretsOfRelay(site: Site): string[] {
  const clients = componentNames.filter((name) => hasRelayKey(site, name));
  const keys = ['owner', ...clients, ...relayClients(site)].map(relayKeyName);
  const providers = [...Object.keys(site.providers), ...(site.hub ? ['hub'] : [])];
  return [...keys, ...providers.map(providerKeyName)];
}
