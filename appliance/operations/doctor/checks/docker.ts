import { anyCode } from '../../../server/host/host.ts';
import { packageVersions } from '../../../server/host/packages/versions.ts';
import { type Finding, serverCheck } from '../finding.ts';

/** The packages of Docker and of its parts, which automatic upgrades leave alone (`security-upgrades.ts`). */
const daemons = ['docker-ce', 'docker.io'];
const packages = [...daemons, 'containerd.io', 'containerd', 'runc'];

/**
 * Reports packages of Docker that are behind their archive, and a dockerd that was not restarted after an
 * upgrade of its package.
 */
export const dockerVersionCheck = serverCheck(
  { name: 'docker-version', root: true },
  async (host) => {
    const versions = await packageVersions(host, packages);
    const behind = versions
      .filter(({ installed, candidate }) => installed && candidate && candidate !== installed)
      .map(
        ({ name, installed, candidate }): Finding => ({
          code: 'DOCKER_OUTDATED',
          subject: name,
          text: {
            en: `${name} ${installed} is installed, and ${candidate} is available`,
            zh: `已安装 ${name} ${installed}，可更新到 ${candidate}`,
          },
        }),
      );
    const format = ['--format', '{{.Server.Version}}'];
    // A Docker that is down has its own finding.
    const { stdout: running } = await host.run('docker', ['version', ...format], {
      accept: anyCode,
    });
    const replaced = versions
      .filter(({ name }) => daemons.includes(name) && running !== '')
      .filter(({ installed = running }) => upstream(installed) !== upstream(running))
      .map(
        ({ name, installed }): Finding => ({
          code: 'DOCKER_OUTDATED',
          subject: name,
          text: {
            en: `Docker ${running} is running, and ${name} ${installed} is installed`,
            zh: `正在运行的是 Docker ${running}，已安装的是 ${name} ${installed}`,
          },
        }),
      );
    return [...replaced, ...behind];
  },
);

/** Returns the numbers of a version: `29.1.3` of `5:29.1.3-1~debian.13~trixie` and of `29.1.3+dfsg1`. */
function upstream(version: string): string {
  return /^(?:\d+:)?(\d+(?:\.\d+)*)/.exec(version)?.[1] ?? version;
}
