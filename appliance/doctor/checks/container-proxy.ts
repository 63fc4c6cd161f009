import { readFile } from 'node:fs/promises';
import { goRouteEnvironment } from '../../host/download/route-environment.ts';
import { allContainers } from '../containers.ts';
import { type Check, stageFix } from '../finding.ts';

const engine = 'landfall-engine';

/**
 * Reports an inference engine that runs without the proxy of the route. Its variables come from a
 * file, so only its process has them, and `docker inspect` does not.
 */
export const containerProxyCheck: Check = {
  name: 'container-proxy',
  root: true,
  needs: 'site',
  run: async ({ host, site }) => {
    const { HTTPS_PROXY: wanted } = goRouteEnvironment(site, 'container');
    if (wanted === undefined) return [];
    const running = (await allContainers(host)).find(
      (each) => each.name === engine && each.running,
    );
    if (!running) return [];
    const env = await readFile(host.path('proc', `${running.pid}`, 'environ'), 'utf8');
    if (env.split('\0').includes(`HTTPS_PROXY=${wanted}`)) return [];
    return [
      {
        code: 'CONTAINER_WITHOUT_PROXY',
        subject: engine,
        text: `the container ${engine} does not use the proxy of the site`,
        fix: stageFix('stack'),
      },
    ];
  },
};
