import { ipVersion, isInRange } from '#platform/ip.ts';
import type { FieldProblem } from '../../errors.ts';
import { inLanguage, type Text } from '../../text/language.ts';
import { hostNames } from '../enabled.ts';
import { metadataRanges } from '../network/metadata-ranges.ts';
import type { Site } from '../site.ts';
import type { EngineNode, Engines } from './engines.ts';

/** Checks the other servers with Ollama and returns all problems. */
export function checkEngines({ engines, hosts = {} }: Partial<Site>): FieldProblem[] {
  if (!engines) return [];
  const own = new Set(hostNames({ hosts }));
  return [
    ...checkEmpty(engines),
    ...checkTwice(engines.nodes),
    ...engines.nodes.flatMap((node, index) => {
      const at = ['engines', 'nodes', index];
      return [...checkHost(node, own, at), ...checkEncryption(node, at)];
    }),
  ];
}

function checkEmpty({ nodes, swarm }: Engines): FieldProblem[] {
  if (nodes.length > 0 || swarm) return [];
  return [
    {
      at: ['engines'],
      message: inLanguage({ en: 'engines names no other server', zh: 'engines 中没有其他服务器' }),
      hint: inLanguage({
        en: 'Add engines.nodes or engines.swarm, or remove engines.',
        zh: '添加 engines.nodes 或 engines.swarm，或删除 engines。',
      }),
    },
  ];
}

/** Two entries for one server would give it twice its slots. */
function checkTwice(nodes: readonly EngineNode[]): FieldProblem[] {
  const names = new Set<string>();
  const urls = new Map<string, string>();
  return nodes.flatMap(({ name, url }, index) => {
    const { origin } = new URL(url);
    const other = urls.get(origin);
    const problems: FieldProblem[] = [];
    if (names.has(name)) {
      problems.push({
        at: ['engines', 'nodes', index, 'name'],
        message: inLanguage({
          en: `engines.nodes has the name ${name} twice`,
          zh: `engines.nodes 中有两个 ${name}`,
        }),
        hint: inLanguage({ en: 'Give each node its own name.', zh: '每个节点要有自己的名称。' }),
      });
    }
    if (other !== undefined) {
      problems.push({
        at: ['engines', 'nodes', index, 'url'],
        message: inLanguage({
          en: `the nodes ${other} and ${name} have the same URL ${origin}`,
          zh: `节点 ${other} 和 ${name} 的 URL 都是 ${origin}`,
        }),
        hint: inLanguage({
          en: 'List each server once, and set its slots.',
          zh: '每台服务器只列一次，并设置它的 slots。',
        }),
      });
    }
    names.add(name);
    urls.set(origin, name);
    return problems;
  });
}

const ownRanges = ['127.0.0.0/8', '0.0.0.0/8', '::1/128', '::/128'];

/** Rejects addresses that are never another server. */
function checkHost(
  { name, url }: EngineNode,
  own: ReadonlySet<string | undefined>,
  at: FieldProblem['at'],
): FieldProblem[] {
  const host = hostOf(url);
  const problem = (what: string, hint: string): FieldProblem[] => [
    { at: [...at, 'url'], message: inLanguage(nodeUrl(name, what)), hint },
  ];
  const isName = ipVersion(host) === 0;
  // Docker resolves names without a dot to components of this server.
  const isOwnName = isName && (own.has(host) || !host.includes('.') || /[.]localhost$/.test(host));
  if (isOwnName || ownRanges.some((range) => isWithin(host, range))) {
    return problem(
      inLanguage({ en: 'is that of this server', zh: '是这台服务器自己的地址' }),
      inLanguage({
        en: 'Use the address of the other server; engines.local sets whether this one answers too.',
        zh: '使用另一台服务器的地址；这台服务器是否也回答由 engines.local 决定。',
      }),
    );
  }
  if ([...metadataRanges.v4, ...metadataRanges.v6].some((range) => isWithin(host, range))) {
    return problem(
      inLanguage({
        en: 'is an address of the metadata service of a cloud, or link-local',
        zh: '是云服务商的元数据地址或链路本地地址',
      }),
      inLanguage({
        en: 'Use the private or public address of the other server.',
        zh: '使用另一台服务器的内网或公网地址。',
      }),
    );
  }
  return [];
}

function nodeUrl(name: string, what: string): Text {
  return { en: `the URL of the node ${name} ${what}`, zh: `节点 ${name} 的 URL ${what}` };
}

function checkEncryption({ name, url, plain, ca }: EngineNode, at: FieldProblem['at']) {
  const isEncrypted = new URL(url).protocol === 'https:';
  const problems: FieldProblem[] = [];
  if (!isEncrypted && plain === undefined) {
    problems.push({
      at: [...at, 'plain'],
      message: inLanguage({
        en: `the node ${name} uses http: the network can read prompts and responses`,
        zh: `节点 ${name} 使用 http：网络上的其他人能读到提问和回答`,
      }),
      hint: inLanguage({
        en: 'Use https, or set plain: i-understand for a network that is yours.',
        zh: '使用 https；如果是您自己的网络，可设置 plain: i-understand。',
      }),
    });
  }
  const surplus = isEncrypted ? 'plain' : 'ca';
  if ((isEncrypted ? plain : ca) !== undefined) {
    problems.push({
      at: [...at, surplus],
      message: inLanguage({
        en: `${surplus} of the node ${name} has no effect with ${isEncrypted ? 'https' : 'http'}`,
        zh: `节点 ${name} 使用 ${isEncrypted ? 'https' : 'http'} 时 ${surplus} 不起作用`,
      }),
      hint: inLanguage({
        en: `Remove ${surplus}, or change the URL.`,
        zh: `删除 ${surplus}，或修改 URL。`,
      }),
    });
  }
  // HAProxy compares names only: a certificate of any public host would be accepted.
  if (isEncrypted && ca === undefined && ipVersion(hostOf(url)) !== 0) {
    problems.push({
      at: [...at, 'ca'],
      message: inLanguage({
        en: `the node ${name} has https with an IP address, but no ca`,
        zh: `节点 ${name} 用 IP 地址和 https，但没有 ca`,
      }),
      hint: inLanguage({
        en: 'Set ca to the authority of its certificate, or use its host name.',
        zh: '把 ca 设为它的证书的颁发机构，或使用它的域名。',
      }),
    });
  }
  return problems;
}

/** Returns the host of a node without the brackets of IPv6. */
export function hostOf(url: string): string {
  return new URL(url).hostname.replace(/^\[(.*)\]$/, '$1');
}

function isWithin(address: string, range: string): boolean {
  const [network = '', bits] = range.split('/');
  return ipVersion(address) !== 0 && isInRange(address, network, Number(bits));
}
