import { siteSchema } from '#contract/site/site.ts';
import type { Inside, SmokeTarget } from '../../../../appliance/shared/smoke/target.ts';

/** A server seen from itself, with components on loopback only. */
export function insideTarget(
  site: Record<string, unknown> = {},
  inside: Partial<Inside> = {},
): SmokeTarget {
  return {
    site: siteSchema.parse({
      release: ['https://example.com/'],
      admin: { ssh_keys: ['ssh-ed25519 AAAA'] },
      ...site,
    }),
    gateway: '127.0.0.1',
    bareHost: '127.0.0.1',
    inside: {
      engine: 'http://127.0.0.1:1',
      proxy: { host: '127.0.0.1', port: 1 },
      secrets: {},
      administrator: { email: 'ops@localhost', password: 'x' },
      ...inside,
    },
  };
}

/** The same server seen from outside. */
export function outsideTarget(site: Record<string, unknown> = {}): SmokeTarget {
  const { inside: _, ...target } = insideTarget(site);
  return target;
}
