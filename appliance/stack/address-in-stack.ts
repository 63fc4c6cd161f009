import { componentOf } from '#contract/component-names.ts';
import type { ComponentName } from '#contract/components.ts';

/** Returns the host and port of a component, as other components see it. */
export function addressInStack(name: ComponentName): string {
  return `${name}:${componentOf(name).containerPort}`;
}
