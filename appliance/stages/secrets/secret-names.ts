import type { ComponentSecret } from '#contract/component.ts';
import { componentNames, componentOf } from '#contract/component-names.ts';
import { dnsVariables } from '#contract/site/certificates/dns-providers.ts';
import { dnsProviderOf } from '#contract/site/certificates/tls.ts';
import { hasRelayKey, isEnabled, isForServer } from '#contract/site/enabled.ts';
import { providerKeyName, relayKeyName } from '#contract/site/key-names.ts';
import { isOnLoopback } from '#contract/site/network/socks.ts';
import { relayClients } from '#contract/site/relay/relay-settings.ts';
import type { Site } from '#contract/site/site.ts';
import { socksPassword } from '../route/public.ts';

/** A secret that the server generates or the administrator sets. */
export interface SecretName {
  readonly name: string;
  /** How the server generates it; undefined for a secret that the administrator sets. */
  readonly generate?: { readonly length: number; readonly alphabet: string };
  /** Title in `landfall credentials`; undefined for internal secrets. */
  readonly title?: string;
  /** Whether the stack of this site cannot be rendered without it. */
  readonly required: boolean;
}

/** Without look-alike characters and characters that are special in a shell or URL. */
const readable = 'abcdefghijkmnpqrstuvwxyzABCDEFGHJKLMNPQRSTUVWXYZ23456789';
/** 24 of 57 letters: 139 bits. Short enough to type. */
const password = { length: 24, alphabet: readable };
/** 43 of 57 letters: 250 bits. */
const key = { length: 43, alphabet: readable };
const username = { length: 8, alphabet: 'abcdefghijkmnpqrstuvwxyz' };
const kinds = { key, password, username } as const satisfies Record<
  ComponentSecret['kind'],
  SecretName['generate']
>;

/**
 * Returns all secrets of a site's stack in display order. The values are never in an environment that
 * `docker inspect` shows; each is in a file that only its component can read.
 */
export function secretNames(site: Site): readonly SecretName[] {
  const own = componentNames.filter((name) => isForServer(site, name));
  return [
    ...own.flatMap((component) =>
      (componentOf(component).secrets ?? []).map(({ kind, ...secret }) => ({
        ...secret,
        generate: kinds[kind],
        required: isEnabled(site, component),
      })),
    ),
    ...(site.socks && !isOnLoopback(site.socks)
      ? [{ ...socksPassword, title: `SOCKS5 server, user ${site.socks.username}`, required: true }]
      : []),
    ...own
      .filter((component) => componentOf(component).usesRelay)
      .map((component) => ({
        name: relayKeyName(component),
        generate: key,
        required: hasRelayKey(site, component),
      })),
    ...(isForServer(site, 'relay') ? [relayOwnerKey(site)] : []),
    ...relayClients(site).map((client) => ({
      name: relayKeyName(client),
      generate: key,
      title: `Relay key, ${client}`,
      required: isEnabled(site, 'relay'),
    })),
    ...[...Object.keys(site.providers), ...(site.hub ? ['hub'] : [])].map((provider) => ({
      name: providerKeyName(provider),
      required: false,
    })),
    ...dnsVariables(dnsProviderOf(site.tls) ?? '').map((name) => ({ name, required: false })),
  ];
}

function relayOwnerKey(site: Site): SecretName {
  return {
    name: 'RELAY_KEY_OWNER',
    generate: key,
    title: 'Relay key, for your tools',
    required: isEnabled(site, 'relay'),
  };
}
