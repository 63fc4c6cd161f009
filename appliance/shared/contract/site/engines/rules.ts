import { ipVersion, isInRange } from '#platform/ip.ts';
import { metadataRanges } from '../network/metadata-ranges.ts';
import type { Site } from '../site.ts';
import type { FieldProblem } from '../site-problem.ts';
import type { EngineNode, Engines } from './engines.ts';

/** Checks the other servers with Ollama and returns all problems. */
export function checkEngines({ engines, hosts = {} }: Partial<Site>): FieldProblem[] {
  if (!engines) return [];
  const own = new Set(Object.values(hosts));
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
      message: 'engines names no other server',
      hint: 'Add engines.nodes or engines.swarm, or remove engines.',
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
        message: `engines.nodes has the name ${name} twice`,
        hint: 'Give each node its own name.',
      });
    }
    if (other !== undefined) {
      problems.push({
        at: ['engines', 'nodes', index, 'url'],
        message: `the nodes ${other} and ${name} have the same URL ${origin}`,
        hint: 'List each server once, and set its slots.',
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
    { at: [...at, 'url'], message: `the URL of the node ${name} ${what}`, hint },
  ];
  const isName = ipVersion(host) === 0;
  // Docker resolves names without a dot to components of this server.
  const isOwnName = isName && (own.has(host) || !host.includes('.') || /[.]localhost$/.test(host));
  if (isOwnName || ownRanges.some((range) => isWithin(host, range))) {
    return problem(
      'is that of this server',
      'Use the address of the other server; engines.local sets whether this one answers too.',
    );
  }
  if ([...metadataRanges.v4, ...metadataRanges.v6].some((range) => isWithin(host, range))) {
    return problem(
      'is an address of the metadata service of a cloud, or link-local',
      'Use the private or public address of the other server.',
    );
  }
  return [];
}

function checkEncryption({ name, url, plain, ca }: EngineNode, at: FieldProblem['at']) {
  const isEncrypted = new URL(url).protocol === 'https:';
  const problems: FieldProblem[] = [];
  if (!isEncrypted && plain === undefined) {
    problems.push({
      at: [...at, 'plain'],
      message: `the node ${name} uses http: the network can read prompts and responses`,
      hint: 'Use https, or set plain: i-understand for a network that is yours.',
    });
  }
  const surplus = isEncrypted ? 'plain' : 'ca';
  if ((isEncrypted ? plain : ca) !== undefined) {
    problems.push({
      at: [...at, surplus],
      message: `${surplus} of the node ${name} has no effect with ${isEncrypted ? 'https' : 'http'}`,
      hint: `Remove ${surplus}, or change the URL.`,
    });
  }
  // HAProxy compares names only: a certificate of any public host would be accepted.
  if (isEncrypted && ca === undefined && ipVersion(hostOf(url)) !== 0) {
    problems.push({
      at: [...at, 'ca'],
      message: `the node ${name} has https with an IP address, but no ca`,
      hint: 'Set ca to the authority of its certificate, or use its host name.',
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
