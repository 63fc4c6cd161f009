/** The name of the secret that is the relay key of somebody: `phone` has `RELAY_KEY_PHONE`. */
export function relayKeyName(client: string): string {
  return `${relayKeyPrefix}${client.replaceAll('-', '_').toUpperCase()}`;
}

/** How the name of every relay key begins. */
export const relayKeyPrefix = 'RELAY_KEY_';
