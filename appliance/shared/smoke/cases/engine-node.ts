import { isEngineNode } from '#contract/site/enabled.ts';
import { enginePort } from '#contract/site/engines/engine-node.ts';
import { inLanguage } from '#contract/text/language.ts';
import { exchange, expectStatus, type Via } from '../exchange.ts';
import { testsOf } from '../smoke-test.ts';
import type { SmokeTarget } from '../target.ts';
import { checkCertificate, peerCertificate } from './gateway.ts';

/** The firewall lets only the first server reach the port, and the tests of the node itself. */
const engineNodesOnly = ({ site, inside }: SmokeTarget) => {
  if (!isEngineNode(site))
    return inLanguage({ en: 'the server is no engine node', zh: '这台服务器不是推理节点' });
  if (site.engine_node?.client_ca === undefined)
    return inLanguage({ en: 'the node is for a Swarm', zh: '这个节点属于 Swarm' });
  return inside
    ? undefined
    : inLanguage({ en: 'only the first server reaches it', zh: '只有第一台服务器能访问它' });
};

const toEnginePort = ({ gateway }: SmokeTarget): Via => ({
  address: gateway,
  ports: { http: enginePort, https: enginePort },
});

export const engineNodeTests = testsOf(
  'gateway',
  [
    {
      name: 'engine-node-certificate',
      title: 'the certificate for the first server covers the address and is not expired',
      chinese: '提供给第一台服务器的证书覆盖本机地址，且未过期',
      lookAt: 'sudo landfall tls status',
      run: async (target) => {
        const { bareHost, gateway } = target;
        checkCertificate(await peerCertificate(gateway, enginePort, bareHost), bareHost);
      },
    },
    {
      name: 'engine-node-closed',
      title: 'a client without the certificate of the first server is refused',
      chinese: '没有第一台服务器证书的客户端会被拒绝',
      run: async (target) => {
        const url = `https://${target.bareHost}/api/tags`;
        expectStatus(await exchange(url, toEnginePort(target)), 400);
      },
    },
  ],
  engineNodesOnly,
);
