import { parseModelName } from '#contract/bundle/model-name.ts';
import { describeNodes, listed } from '../../../appliance/commands/node/list.ts';
import { describeEngines, describeTest } from '../../../appliance/nodes/balancer/describe.ts';
import { addNodeCommand, describeNodeSite } from '../../../appliance/nodes/balancer/pairing.ts';
import { parseStates } from '../../../appliance/nodes/balancer/states.ts';
import { describeModels, listModels } from '../../../appliance/stages/models/list-models.ts';
import { now } from '../conditions.ts';
import { forEachLanguage, json, type Section, sections, type Topic } from '../golden.ts';
import { release, siteOf } from '../sites.ts';

/** Servers with engines, nodes of the Swarm, and models. */
export const engines: Topic = async () =>
  new Map([
    ...(await forEachLanguage('engines', () => sections(enginesTexts()))),
    ['engines.json', json({ ...balancer, servers })],
    ...(await forEachLanguage('nodes', nodesText)),
    ['nodes.json', json({ nodes })],
    ...(await forEachLanguage('models', modelsText)),
    ['models.json', json(models)],
  ]);

const balancer = parseStates(
  [
    '# pxname,svname,status,sid,slim,scur,qcur,hrsp_2xx,hrsp_5xx,econ,eresp,check_desc,last_chk,ttime,qtime,',
    'generate-1,local,UP,1,1,0,0,12,0,0,0,,L7OK,2000,0,',
    'generate-1,gpu1,DOWN,2,4,0,0,40,3,1,0,Layer4 timeout,,9000,100,',
    'generate-1,gpu2,DRAIN,3,2,1,2,7,0,0,0,,,0,0,',
    'generate-1,BACKEND,UP,0,,1,5,59,3,,,,,,,',
    'embed-1,local,UP,1,1,0,0,3,0,0,0,,,0,0,',
    '',
    '# table: answers, type: string, size:100, used:1',
    '0x7f01: key=local use=0 exp=59 shard=0 gpc0_rate(60000)=3',
  ].join('\n'),
);
const servers = balancer.servers.map((server, index) => ({
  ...server,
  release: ['1.2.0', undefined, '1.1.0'][index],
  ...(index === 2 ? { models: ['qwen3:8b', 'big:70b'] } : {}),
}));

function enginesTexts(): Section[] {
  const entry = { name: 'gpu1', url: 'https://203.0.113.20:11443', ca: '(certificate)', slots: 4 };
  const site = {
    role: 'engine-node',
    engine_node: { client_ca: '(certificate)\n', clients: ['203.0.113.5', '2001:db8::5'] },
  } as const;
  return [
    ['landfall engines', describeEngines({ ...balancer, servers })],
    ['landfall engines, none waits', describeEngines({ waiting: 0, servers: servers.slice(0, 1) })],
    [
      'landfall engines test',
      describeTest({ name: 'gpu1', version: '0.35.1', model: 'qwen3:8b', speed: 42, problems: [] }),
    ],
    ['landfall engines show', describeNodeSite(site)],
    ['landfall engines show, on a node', addNodeCommand(entry, siteOf('node'))],
    ['landfall engines show, on a node of a Swarm', addNodeCommand(entry, siteOf('swarmNode'))],
  ];
}

const nodes = listed(
  {
    members: ['gpu1', 'gpu2', 'attic', 'new'].map((name, index) => ({
      ...{ name, address: `198.19.253.${index + 2}`, publicKey: `key of ${name}` },
      expires: '2026-11-30T12:00:00.000Z',
    })),
    nodes: [
      { isReady: true, isDrained: false },
      { isReady: true, isDrained: true },
      { isReady: false, isDrained: false },
    ].map((state, index) => ({
      ...{ id: `id${index + 2}`, address: `198.19.253.${index + 2}`, docker: '26.1.5' },
      ...{ isManager: false, ...state },
    })),
  },
  [
    { nodeId: 'id2', state: 'running', error: '', addresses: [] },
    { nodeId: 'id4', state: 'rejected', error: 'No such image', addresses: [] },
  ],
  new Map([
    ['key of gpu1', now.getTime() / 1000 - 12],
    ['key of gpu2', now.getTime() / 1000 - 4000],
  ]),
  now.getTime(),
);

function nodesText(): string {
  return sections([
    ['landfall node', describeNodes(nodes)],
    ['landfall node, without nodes', describeNodes([])],
  ]);
}

const manifest = `sha256:${'b'.repeat(64)}` as const;
const models = listModels(
  [
    { name: 'qwen3:1.7b', size: 1_400_000_000, digest: manifest },
    { name: 'qwen3:8b', size: 5_200_000_000, digest: `sha256:${'c'.repeat(64)}` },
    { name: 'mine:1b', size: 900_000_000, digest: `sha256:${'d'.repeat(64)}` },
  ],
  release.models.flatMap((model) => {
    const name = parseModelName(model.name);
    return name ? [{ model, name, stored: false, present: false, carried: undefined }] : [];
  }),
  release.models.slice(0, 2),
);

function modelsText(): string {
  return sections([
    ['landfall models', describeModels(models)],
    ['landfall models, without models', describeModels([])],
  ]);
}
