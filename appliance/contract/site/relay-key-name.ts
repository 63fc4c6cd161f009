/** Returns the name of the secret with a client's relay key: `phone` has `RELAY_KEY_PHONE`. */
export function relayKeyName(client: string): string {
  return `${relayKeyPrefix}${client.replaceAll('-', '_').toUpperCase()}`;
}

/** Prefix of the names of relay keys. */
export const relayKeyPrefix = 'RELAY_KEY_';
