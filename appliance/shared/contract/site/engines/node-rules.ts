import { formatPorts, type Opening, overlaps, parseOpening } from '../opening.ts';
import type { Site } from '../site.ts';
import type { FieldProblem } from '../site-problem.ts';
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
        message: 'engine_node has no effect without role: engine-node',
        hint: 'Add role: engine-node, or remove engine_node.',
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
      message: `engine_node needs ${missing} too`,
      hint: 'Copy both from the first server: sudo landfall engines show. A node of a Swarm has none of them.',
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
      Object.values(site[name] ?? {}).some((value) => value !== undefined && value !== false),
    ),
    ...(site.relay && (site.relay.keys.length > 0 || site.relay.local) ? (['relay'] as const) : []),
  ];
  return set.map((name) => ({
    at: [name],
    message: `${name} has no effect on an engine node: it runs Ollama and the gateway only`,
    hint: `Remove ${name}, or set it on the first server.`,
  }));
}

function checkModels({ models }: Partial<Site>): FieldProblem[] {
  if (models === undefined || models.length > 0) return [];
  return [
    {
      at: ['models'],
      message: 'an engine node without models answers nothing',
      hint: 'Remove models, or list those of the first server.',
    },
  ];
}

/** The first server knows the authority of the node, and no public one certifies its address. */
function checkTls({ tls }: Partial<Site>): FieldProblem[] {
  if (tls === undefined || tls.mode === 'internal') return [];
  return [
    {
      at: ['tls', 'mode'],
      message: `tls.mode ${tls.mode} does not work on an engine node`,
      hint: 'Use mode: internal: the first server trusts the authority of the node.',
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
      message: `firewall.allow opens ${formatPorts(opening)} for everyone, but port ${enginePort} is for engine_node.clients only`,
      hint: `Remove it, or open the ports around ${enginePort}.`,
    }));
}
