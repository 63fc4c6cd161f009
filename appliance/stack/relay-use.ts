import type { Site } from '#contract/site.ts';

/** Whether a site has work for the relay: a provider, a name for it, or a front-end. */
export function runsRelay({ providers, hosts, components }: Site): boolean {
  return (
    Object.keys(providers).length > 0 ||
    hosts.relay !== undefined ||
    components.chat ||
    components.lobe
  );
}
