import { componentOf } from '#contract/component-names.ts';
import type { ComponentName } from '#contract/components.ts';

/** Returns the host and port of a component, as other components see it. */
export function addressInStack(name: ComponentName): string {
  return `${name}:${componentOf(name).containerPort}`;
}

/** The relay's URL inside of the stack. */
export const relayOrigin = `http://${addressInStack('relay')}`;

/** Returns the relay's URL of a provider inside of the stack. */
export function relayBase(provider: string): string {
  return `${relayOrigin}/${provider}`;
}
