import type { Status } from '../../../appliance/server/progress/status.ts';
import type { SealedDependencies } from '../../host/sealed/origins.ts';
import { SealedPremises } from '../../host/sealed/sealed-premises.ts';
import { singBoxTarball } from '../sing-box/install.ts';
import { type ProxyType, type ProxyWay, throughProxyServer } from './proxy-servers.ts';
import type { Pushing } from './pushing.ts';

/** Boots a server that waits for its bundle, on a network from which only proxies lead out. */
export async function behindProxies(
  given: SealedDependencies,
  types: readonly ProxyType[],
  { publicKey }: Pushing,
  route: Readonly<Record<string, string>> = {},
): Promise<{ readonly server: SealedPremises; readonly ways: readonly ProxyWay[] }> {
  const { promise, resolve } = Promise.withResolvers<readonly ProxyWay[]>();
  const server = await SealedPremises.open(
    given,
    async (surroundings) => {
      const ways = await Promise.all(types.map((type) => throughProxyServer(type, surroundings)));
      resolve(ways);
      const logs = async () => (await Promise.all(ways.map((way) => way.log()))).flat();
      const machines = ways.map(({ machine }) => machine);
      return {
        site: {
          release: 'push',
          route: { mode: 'client', ...route },
          admin: { ssh_keys: [publicKey] },
        },
        ...{ ports: [], machines, log: logs, close: async () => {} },
      };
    },
    { client: await singBoxTarball() },
  );
  await server.premises.host.cloudInit();
  return { server, ways: await promise };
}

/** Waits for the end of the first boot. @throws Error with the output of the client on a failure */
export async function comeUp(server: SealedPremises): Promise<Status> {
  return await server.comeUp().catch(async (error: unknown) => {
    const journal = await server.premises.host.journal('landfall-client@*.service');
    throw new Error(`the client said:\n${journal}`, { cause: error });
  });
}
