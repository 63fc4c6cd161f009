import { existsSync } from 'node:fs';
import type { Problem } from '#contract/errors.ts';
import { inLanguage } from '#contract/text/language.ts';
import { translated } from '#contract/text/translated.ts';
import type { Host } from '../../server/host/host.ts';
import { missingPackages } from '../../server/host/packages/apt.ts';
import { Journal } from '../../server/stage/journal.ts';
import type { Context } from '../../server/stage/stage.ts';

const foreignPackages = [
  'docker-ce',
  'docker-ce-cli',
  'containerd.io',
  'moby-engine',
  'podman-docker',
];
/** Container runtimes that are installed without a package of the distribution. */
const foreignFiles: Readonly<Record<string, string>> = {
  'snap/bin/docker': 'Docker from a snap',
  'usr/local/bin/k3s': 'k3s',
  'usr/bin/kubelet': 'Kubernetes',
};
/** Web servers that would use the gateway's ports after the next boot. */
const webServers = ['nginx', 'apache2', 'caddy', 'lighttpd', 'haproxy', 'traefik'];

/** Reports other container runtimes, web servers and firewalls on the machine. */
export async function checkForeignSoftware({ host }: Context): Promise<Problem[]> {
  const found = await Promise.all([
    (await isDockerOurs(host)) ? [] : checkDocker(host),
    enabledOf(host, [...webServers, 'firewalld']),
  ]);
  return found.flat().map((each) => (typeof each === 'string' ? unwantedService(each) : each));
}

/**
 * Returns whether an earlier run started to install Docker. It may then be Docker's own build, which
 * a site can choose, and the administrator may run other containers.
 */
async function isDockerOurs(host: Host): Promise<boolean> {
  const entries = await new Journal(host).entries();
  return entries.some(({ stage }) => stage === 'runtime');
}

async function checkDocker(host: Host): Promise<Problem[]> {
  const [missing, containers] = await Promise.all([
    missingPackages(host, foreignPackages),
    foreignContainers(host),
  ]);
  const packages = foreignPackages.filter((name) => !missing.includes(name));
  const files = Object.entries(foreignFiles).filter(([path]) => existsSync(host.path(path)));
  const hint = inLanguage({
    en: 'Use a server without it: two container runtimes on one machine conflict.',
    zh: '使用没有它的服务器：一台机器上的两个容器引擎会冲突。',
  });
  return [
    ...(packages.length > 0
      ? [
          {
            message: inLanguage({
              en: `conflicting Docker packages are installed: ${packages.join(', ')}`,
              zh: `安装了冲突的 Docker 软件包：${packages.join('、')}`,
            }),
            hint,
          },
        ]
      : []),
    ...files.map(([, name]) => ({
      message: inLanguage({ en: `${name} is installed`, zh: `安装了 ${translated(name)}` }),
      hint,
    })),
    ...(containers.length > 0
      ? [
          {
            message: inLanguage({
              en: `other containers are running: ${containers.join(', ')}`,
              zh: `有其他容器在运行：${containers.join('、')}`,
            }),
            hint: inLanguage({
              en: 'Use a dedicated server: Landfall changes the settings of Docker.',
              zh: '使用专用的服务器：Landfall 会更改 Docker 的设置。',
            }),
          },
        ]
      : []),
  ];
}

/** Returns the names of other containers; empty if Docker is missing or stopped. */
async function foreignContainers(host: Host): Promise<string[]> {
  if (!existsSync(host.path('usr/bin/docker'))) return [];
  const { code, stdout } = await host.run('docker', ['ps', '--format', '{{.Names}}'], {
    accept: [1],
    seconds: 30,
  });
  if (code !== 0) return [];
  return stdout.split('\n').filter((name) => name !== '' && !name.startsWith('landfall-'));
}

/** Returns those of some services that start at boot. */
async function enabledOf(host: Host, services: readonly string[]): Promise<string[]> {
  const units = services.map((name) => `${name}.service`);
  const { stdout } = await host.run(
    'systemctl',
    ['list-unit-files', '--no-legend', '--no-pager', '--state=enabled', ...units],
    { accept: [1] },
  );
  return [...stdout.matchAll(/^(\S+)\.service\s/gm)].map(([, name = '']) => name);
}

function unwantedService(name: string): Problem {
  if (name === 'firewalld')
    return {
      message: inLanguage({
        en: 'another firewall, firewalld, is enabled at boot',
        zh: '另一个防火墙 firewalld 设为开机启动',
      }),
      hint: inLanguage({
        en: 'Remove it with: apt-get purge firewalld. It would close the ports of the site.',
        zh: '请删除它：apt-get purge firewalld。它会关闭站点的端口。',
      }),
    };
  return {
    message: inLanguage({
      en: `the web server ${name} is enabled at boot`,
      zh: `Web 服务器 ${name} 设为开机启动`,
    }),
    hint: inLanguage({
      en: `Remove it with: apt-get purge ${name}. The gateway needs its ports.`,
      zh: `请删除它：apt-get purge ${name}。网关需要它的端口。`,
    }),
  };
}
