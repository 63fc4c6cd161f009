import type { FieldProblem } from '../../errors.ts';
import { inLanguage } from '../../text/language.ts';
import { formatPorts, type Opening, overlaps, parseOpening } from '../opening.ts';
import type { Site } from '../site.ts';
import { enginePort } from './engine-node.ts';

/** Fields that belong to components that an engine node does not run, with their empty values. */
const unused = ['providers', 'hub', 'engines', 'backup', 'restore'] as const;

/** Checks the site of an engine node: it runs Ollama and the gateway only. */
export function checkEngineNode(site: Partial<Site>): FieldProblem[] {
  const { role: kind, engine_node: settings } = site;
  if (kind === undefined) {
    if (settings === undefined) return [];
    return [
      {
        at: ['engine_node'],
        message: inLanguage({
          en: 'engine_node has no effect without role: engine-node',
          zh: '没有 role: engine-node 时 engine_node 不起作用',
        }),
        hint: inLanguage({
          en: 'Add role: engine-node, or remove engine_node.',
          zh: '添加 role: engine-node，或删除 engine_node。',
        }),
      },
    ];
  }
  return [
    ...checkPair(settings),
    ...surplusOf(site),
    ...checkModels(site),
    ...checkTls(site),
    ...checkOpenings(site),
  ];
}

/** One of the two alone would open the port without a client, or without a certificate. */
function checkPair(settings: Site['engine_node']): FieldProblem[] {
  const { client_ca, clients } = settings ?? {};
  if ((client_ca === undefined) === (clients === undefined)) return [];
  const missing = client_ca === undefined ? 'client_ca' : 'clients';
  return [
    {
      at: ['engine_node', missing],
      message: inLanguage({
        en: `engine_node needs ${missing} too`,
        zh: `engine_node 还需要 ${missing}`,
      }),
      hint: inLanguage({
        en: 'Copy both from the first server: sudo landfall engines show. A node of a Swarm has none of them.',
        zh: '从第一台服务器复制这两项：sudo landfall engines show。Swarm 的节点两项都没有。',
      }),
    },
  ];
}

function surplusOf(site: Partial<Site>): FieldProblem[] {
  const set = [
    ...unused.filter((name) => {
      const value = site[name];
      return value !== undefined && Object.keys(value).length > 0;
    }),
    ...(['hosts', 'components'] as const).filter((name) =>
      Object.values(site[name] ?? {}).some(
        (value) => value !== undefined && (name === 'hosts' || value !== false),
      ),
    ),
    ...(site.relay && (site.relay.keys.length > 0 || site.relay.local) ? (['relay'] as const) : []),
  ];
  return set.map((name) => ({
    at: [name],
    message: inLanguage({
      en: `${name} has no effect on an engine node: it runs Ollama and the gateway only`,
      zh: `${name} 在推理节点上不起作用：它只运行 Ollama 和网关`,
    }),
    hint: inLanguage({
      en: `Remove ${name}, or set it on the first server.`,
      zh: `删除 ${name}，或在第一台服务器上设置。`,
    }),
  }));
}

function checkModels({ models }: Partial<Site>): FieldProblem[] {
  if (models === undefined || models.length > 0) return [];
  return [
    {
      at: ['models'],
      message: inLanguage({
        en: 'an engine node without models answers nothing',
        zh: '没有模型的推理节点无法回答',
      }),
      hint: inLanguage({
        en: 'Remove models, or list those of the first server.',
        zh: '删除 models，或列出第一台服务器的模型。',
      }),
    },
  ];
}

/** The first server knows the authority of the node, and no public one certifies its address. */
function checkTls({ tls }: Partial<Site>): FieldProblem[] {
  if (tls === undefined || tls.mode === 'internal') return [];
  return [
    {
      at: ['tls', 'mode'],
      message: inLanguage({
        en: `tls.mode ${tls.mode} does not work on an engine node`,
        zh: `tls.mode ${tls.mode} 不能用于推理节点`,
      }),
      hint: inLanguage({
        en: 'Use mode: internal: the first server trusts the authority of the node.',
        zh: '用 mode: internal：第一台服务器信任节点自己的证书颁发机构。',
      }),
    },
  ];
}

const engineOpening: Opening = { first: enginePort, last: enginePort, protocol: 'tcp' };

/** An opening of `firewall.allow` is for everyone. */
function checkOpenings({ firewall }: Partial<Site>): FieldProblem[] {
  const open = (firewall?.allow ?? []).flatMap((text) => parseOpening(text) ?? []);
  return open
    .filter((opening) => overlaps(opening, engineOpening))
    .map((opening) => ({
      at: ['firewall', 'allow'],
      message: inLanguage({
        en: `firewall.allow opens ${formatPorts(opening)} for everyone, but port ${enginePort} is for engine_node.clients only`,
        zh: `firewall.allow 对所有人开放了 ${formatPorts(opening)}，但端口 ${enginePort} 只供 engine_node.clients 使用`,
      }),
      hint: inLanguage({
        en: `Remove it, or open the ports around ${enginePort}.`,
        zh: `删除它，或只开放 ${enginePort} 以外的端口。`,
      }),
    }));
}
