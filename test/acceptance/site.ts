import type { Release } from '#contract/bundle/release.ts';

/**
 * Returns the site of an accepted server: the defaults, a certificate of its own, and the smallest
 * chat model, because a larger one only takes longer to download.
 */
export function acceptanceSite(release: Pick<Release, 'models'>, url: string, sshKey: string) {
  const [minimal] = release.models
    .filter(({ role, size }) => role === 'chat' && size !== null)
    .sort((one, other) => (one.size ?? 0) - (other.size ?? 0));
  return {
    release: [url],
    admin: { ssh_keys: [sshKey] },
    tls: { mode: 'internal' },
    ...(minimal ? { models: [minimal.name] } : {}),
  };
}
