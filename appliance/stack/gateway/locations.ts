import type { HostComponent } from '#contract/component-names.ts';
import { addressInStack } from '../address-in-stack.ts';
import { componentCode } from '../components/registry.ts';
import { asked, policy, proxied, withoutUpgrade } from './directives.ts';

/**
 * Returns the nginx settings and locations of a component. By default the gateway forwards every
 * request, but no upgrades.
 */
export function locationsOf(name: HostComponent, tls: boolean): string {
  const scheme = tls ? 'https' : 'http';
  const own = componentCode[name]?.locations?.(scheme);
  if (own !== undefined) return own;
  return [
    policy("frame-ancestors 'none'"),
    asked(scheme, withoutUpgrade),
    proxied('/', addressInStack(name)),
  ].join('\n');
}
