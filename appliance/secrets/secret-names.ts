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

/**
 * Every secret that the stack of a site needs, in the order in which people are shown them.
 * The values never enter an environment that `docker inspect` shows; each goes into a file that
 * only its reader may read.
 */
export function secretNames(site: Site): readonly SecretName[] {
  const { chat, lobe } = site.components;
  const hasProviders = Object.keys(site.providers).length > 0;
  return [
    { name: 'WEBUI_SECRET_KEY', generate: key, required: true },
    {
      name: 'WEBUI_ADMIN_PASSWORD',
      generate: password,
      title: 'Chat UI, administrator',
      required: true,
    },
    {
      name: 'CHAT_ACCESS_CODE',
      generate: password,
      title: 'Single-provider front-end, access code',
      required: chat,
    },
    {
      name: 'LOBE_ACCESS_CODE',
      generate: password,
      title: 'Multi-provider front-end, access code',
      required: lobe,
    },
    {
      name: 'TINYPROXY_USERNAME',
      generate: { length: 8, alphabet: 'abcdefghijkmnpqrstuvwxyz' },
      title: 'HTTP proxy, user',
      required: true,
    },
    {
      name: 'TINYPROXY_PASSWORD',
      generate: password,
      title: 'HTTP proxy, password',
      required: true,
    },
    { name: 'RELAY_KEY_UI', generate: key, required: hasProviders },
    { name: 'RELAY_KEY_CHAT', generate: key, required: chat },
    { name: 'RELAY_KEY_LOBE', generate: key, required: lobe },
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
