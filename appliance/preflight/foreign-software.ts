import { access } from 'node:fs/promises';
import type { Problem } from '#contract/errors.ts';
import type { Host } from '../host/host.ts';
import { missingPackages } from '../host/packages/apt.ts';
import { Journal } from '../stage/journal.ts';
import type { Context } from '../stage/stage.ts';

/** Other builds of the engine, whose files and settings would fight with the distribution's. */
const foreignPackages = [
  'docker-ce',
  'docker-ce-cli',
  'containerd.io',
  'moby-engine',
  'podman-docker',
];
/** Engines that come without a package of the distribution. */
const foreignFiles: Readonly<Record<string, string>> = {
  'snap/bin/docker': 'Docker from a snap',
  'usr/local/bin/k3s': 'k3s',
  'usr/bin/kubelet': 'Kubernetes',
};
/** Web servers that would start at the next boot and take the gateway's ports. */
const webServers = ['nginx', 'apache2', 'caddy', 'lighttpd', 'haproxy', 'traefik'];

/** Judges whether somebody else's engine or web server is on the machine. */
export async function judgeForeignSoftware({ host }: Context): Promise<Problem[]> {
  const found = await Promise.all([
    (await engineIsOurs(host)) ? [] : judgeEngine(host),
    judgeWebServers(host),
  ]);
  return found.flat();
}

/**
 * Once it was set up from here, or begun to be, it may be Docker's own build, which a site can choose,
 * and the owner may run other containers beside ours.
 */
async function engineIsOurs(host: Host): Promise<boolean> {
  const entries = await new Journal(host).entries();
  return entries.some(({ stage }) => stage === 'runtime');
}

async function judgeEngine(host: Host): Promise<Problem[]> {
  const [packages, files, containers] = await Promise.all([
    missingPackages(host, foreignPackages).then((missing) =>
      foreignPackages.filter((name) => !missing.includes(name)),
    ),
    foreignEngines(host),
    foreignContainers(host),
  ]);
  const hint = 'Take a server without it: two engines on one machine break each other.';
  return [
    ...(packages.length > 0
      ? [{ message: `another Docker is installed: ${packages.join(', ')}`, hint }]
      : []),
    ...files.map((name) => ({ message: `${name} is installed`, hint })),
    ...(containers.length > 0
      ? [
          {
            message: `containers that are not Landfall's run on it: ${containers.join(', ')}`,
            hint: 'Take a server of its own for Landfall: it changes the settings of the engine.',
          },
        ]
      : []),
  ];
}

async function foreignEngines(host: Host): Promise<string[]> {
  const found = await Promise.all(
    Object.entries(foreignFiles).map(async ([path, name]) =>
      (await exists(host, path)) ? name : '',
    ),
  );
  return found.filter(Boolean);
}

/** Nothing where there is no engine, or one that does not run. */
async function foreignContainers(host: Host): Promise<string[]> {
  if (!(await exists(host, 'usr/bin/docker'))) return [];
  const { code, stdout } = await host.run('docker', ['ps', '--format', '{{.Names}}'], {
    accept: [1],
    seconds: 30,
  });
  if (code !== 0) return [];
  return stdout.split('\n').filter((name) => name !== '' && !name.startsWith('landfall-'));
}

async function judgeWebServers(host: Host): Promise<Problem[]> {
  const units = webServers.map((name) => `${name}.service`);
  const { stdout } = await host.run(
    'systemctl',
    ['list-unit-files', '--no-legend', '--no-pager', '--state=enabled', ...units],
    { accept: [1] },
  );
  const names = [...stdout.matchAll(/^(\S+)\.service\s/gm)].map(([, name = '']) => name);
  return names.map((name) => ({
    message: `the web server ${name} starts on it at every boot`,
    hint: `The gateway needs its ports. Remove it (apt-get purge ${name}), or take a server without it.`,
  }));
}

async function exists(host: Host, path: string): Promise<boolean> {
  return await access(host.path(path)).then(
    () => true,
    () => false,
  );
}
