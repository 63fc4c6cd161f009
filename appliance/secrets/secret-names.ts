import type { ComponentSecret } from '#contract/component.ts';
import { componentNames, componentOf } from '#contract/component-names.ts';
import { hasRelayKey, isEnabled } from '#contract/site/enabled.ts';
import { providerKeyName } from '#contract/site/provider-key-name.ts';
import { relayKeyName } from '#contract/site/relay-key-name.ts';
import type { Site } from '#contract/site/site.ts';

/** A secret that the server makes for itself, or that its owner gives it. */
export interface SecretName {
  readonly name: string;
  /** How the server makes it; nothing for what only its owner can know. */
  readonly generate?: { readonly length: number; readonly alphabet: string };
  /** Under what title `landfall credentials` shows it; nothing for what no person needs. */
  readonly title?: string;
  /** Whether the stack cannot be rendered for this site without it. */
  readonly required: boolean;
}

/** No letters that look alike, none that a shell or a URL reads otherwise. */
const readable = 'abcdefghijkmnpqrstuvwxyzABCDEFGHJKLMNPQRSTUVWXYZ23456789';
/** 24 of 57 letters: 139 bits. A person can type it. */
const password = { length: 24, alphabet: readable };
/** 43 of 57 letters: 250 bits. */
const key = { length: 43, alphabet: readable };
const username = { length: 8, alphabet: 'abcdefghijkmnpqrstuvwxyz' };
const kinds = { key, password, username } as const satisfies Record<
  ComponentSecret['kind'],
  SecretName['generate']
>;

/**
 * Every secret that the stack of a site needs, in the order in which people are shown them.
 * The values never enter an environment that `docker inspect` shows; each goes into a file that
 * only its reader may read.
 */
export function secretNames(site: Site): readonly SecretName[] {
  return [
    ...componentNames.flatMap((component) =>
      (componentOf(component).secrets ?? []).map(({ kind, ...secret }) => ({
        ...secret,
        generate: kinds[kind],
        required: isEnabled(site, component),
      })),
    ),
    ...componentNames
      .filter((component) => componentOf(component).usesRelay)
      .map((component) => ({
        name: relayKeyName(component),
        generate: key,
        required: hasRelayKey(site, component),
      })),
    { name: 'RELAY_KEY_OWNER', generate: key, title: 'Relay key, for your tools', required: true },
    ...site.relay.keys.map((client) => ({
      name: relayKeyName(client),
      generate: key,
      title: `Relay key, ${client}`,
      required: true,
    })),
    ...Object.keys(site.providers).map((provider) => ({
      name: providerKeyName(provider),
      required: false,
    })),
  ];
}
