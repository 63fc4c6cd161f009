import { addressInStack } from '../../address-in-stack.ts';

/** The relay's URL inside of the stack. */
export const relayOrigin = `http://${addressInStack('relay')}`;

/** Returns the relay's URL of a provider inside of the stack. */
export function relayBase(provider: string): string {
  return `${relayOrigin}/${provider}`;
}
