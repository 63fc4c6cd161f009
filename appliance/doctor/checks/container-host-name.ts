import { allContainers, type Container } from '../containers.ts';
import type { Check } from '../finding.ts';

const hostName = 'host.docker.internal';

/** Reports containers whose settings name the host in a way that Linux does not resolve (SPEC 7). */
export const containerHostNameCheck: Check = {
  name: 'container-host-name',
  root: true,
  needs: 'server',
  run: async (host) =>
    (await allContainers(host))
      .filter((each) => each.running && !resolves(each))
      .flatMap(({ name, env }) =>
        env
          .filter((line) => names(line))
          .map((line) => line.split('=')[0] ?? '')
          .map((variable) => ({
            code: 'HOST_NAME_IN_CONTAINER',
            subject: name,
            text: `${variable} of the container ${name} names ${hostName}, which the container cannot resolve`,
          })),
      ),
};

/** NO_PROXY only lists the name; its value is not resolved. */
function names(line: string): boolean {
  return line.includes(hostName) && !/^no_proxy=/i.test(line);
}

function resolves({ networkMode, extraHosts }: Container): boolean {
  return networkMode === 'host' || extraHosts.some((line) => line.startsWith(`${hostName}:`));
}
