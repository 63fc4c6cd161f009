import { SocksProxy } from '../../faulty-server/socks-proxy.ts';
import type { OpenWay } from './sealed-premises.ts';

/** User and password of the proxies. */
export const login = 'me:s3cret';

/** A SOCKS5 proxy with a login, as a stand-in. */
export const throughSocksProxy: OpenWay = async ({ cloud, overseas }) => {
  const address = cloud.network.gateway.v4;
  const proxy = await SocksProxy.start({ login, names: overseas.names, address });
  return {
    site: { route: { mode: 'socks5', url: `socks5h://${login}@${proxy.host}` } },
    ports: [Number(new URL(`http://${proxy.host}`).port)],
    log: async () => proxy.asked,
    close: () => proxy.close(),
  };
};

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
