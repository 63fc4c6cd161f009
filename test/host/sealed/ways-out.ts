import type { OpenWay } from './sealed-premises.ts';

/** User and password of the proxies. */
export const login = 'me:s3cret';

/** Mirrors of all downloads and a relay to the provider, without a proxy. */
export const throughMirrors: OpenWay = async ({ cloud, near }) => ({
  site: {
    release: [`${near.release}/`],
    mirrors: {
      apt: `${cloud.packages}/debian`,
      apt_security: `${cloud.packages}/debian-security`,
      registries: { 'docker.io': near.registry, 'ghcr.io': near.registry },
      files: `${near.plugin}/`,
    },
    providers: { openai: { base_url: `${near.provider}/v1` } },
  },
  ports: [cloud.packages, ...Object.values(near)].map((url) => Number(new URL(url).port)),
  log: async () => [],
  close: async () => {},
});
