import { addressInStack } from '../../address-in-stack.ts';

/** Where the relay is, as containers see it. */
export const relayOrigin = `http://${addressInStack('relay')}`;

/** Where the relay serves a provider, as containers see it. */
export function relayBase(provider: string): string {
  return `${relayOrigin}/${provider}`;
}
