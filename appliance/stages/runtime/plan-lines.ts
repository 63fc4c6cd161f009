import type { Text } from '#contract/text/language.ts';
import { daemonSettingsFile } from './daemon-settings.ts';

/** What a plan says about Docker. */
export const lines = {
  anySource: {
    en: "install Docker's packages, or those of the distribution if they cannot be installed",
    zh: '安装 Docker 官方的软件包；无法安装时用发行版的',
  },
  repository: { en: "add Docker's repository to apt", zh: '把 Docker 的软件源加入 apt' },
  settings: { en: `write /${daemonSettingsFile}`, zh: `写入 /${daemonSettingsFile}` },
  swarmSettings: {
    en: `write /${daemonSettingsFile}, so that a restart of Docker stops all containers: Swarm needs that`,
    zh: `写入 /${daemonSettingsFile}；重启 Docker 时会停止所有容器，Swarm 需要这样`,
  },
  endSwarm: { en: 'end the Swarm', zh: '结束 Swarm' },
  proxy: { en: 'set the proxy of Docker', zh: '设置 Docker 的代理' },
  proxyAndCa: {
    en: 'set the proxy and the certificate authorities of Docker',
    zh: '设置 Docker 的代理和 CA 证书',
  },
  compose: { en: 'install Docker Compose from the release', zh: '安装版本中的 Docker Compose' },
  start: { en: 'start Docker', zh: '启动 Docker' },
} as const satisfies Readonly<Record<string, Text>>;
