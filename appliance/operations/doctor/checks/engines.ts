import type { Engines } from '#contract/site/engines/engines.ts';
import { listedName, localModels } from '#contract/sizes/local-models.ts';
import { askNodes, type NodeAnswer, trustOf } from '../../../nodes/balancer/ask-nodes.ts';
import { downEngines } from '../../../nodes/balancer/conditions.ts';
import { slowServers } from '../../../nodes/balancer/slow-servers.ts';
import { balancerState } from '../../../nodes/balancer/socket.ts';
import { findListed } from '../../../server/ollama/ollama-api.ts';
import type { Context } from '../../../server/stage/stage.ts';
import { type Finding, siteCheck } from '../finding.ts';
import { asFindings } from './conditions.ts';

/** Reports faults of the other servers with Ollama, as HAProxy and they themselves show them. */
export const enginesCheck = siteCheck({ name: 'engines', root: true }, async (context) => {
  const { host, site } = context;
  const { engines } = site;
  if (!engines) return [];
  const [{ servers }, answers] = await Promise.all([
    balancerState(host),
    askNodes(engines, await trustOf(host, site)),
  ]);
  const down = downEngines(servers);
  const names = new Set(down.map(({ subject }) => subject));
  return [
    ...asFindings(down),
    ...engines.nodes.flatMap((node) => [
      // Of a server that is down, HAProxy already says which model is missing.
      ...(names.has(node.name) ? [] : missingModels(node, answers.get(node.name), context)),
      ...otherRelease(node, answers.get(node.name), context),
    ]),
    ...slowServers(servers, engines).map(({ name, seconds, median }) => ({
      ...{ code: 'ENGINE_SLOW' as const, subject: name },
      text: {
        en: `an answer of the inference server ${name} takes ${seconds.toFixed(1)} s, one of the others ${median.toFixed(1)} s`,
        zh: `推理服务器 ${name} 回答一次要 ${seconds.toFixed(1)} 秒，其他服务器 ${median.toFixed(1)} 秒`,
      },
    })),
  ];
});

type Node = Engines['nodes'][number];

function missingModels(
  { name, models }: Node,
  answer: NodeAnswer | undefined,
  { release, site, server }: Context,
): Finding[] {
  const listed = answer?.models;
  if (!listed) return [];
  const expected = models ?? localModels(release, site, server).models.map(listedName);
  const missing = expected.filter((model) => !findListed(listed, model));
  if (missing.length === 0) return [];
  const text = {
    en: `the inference server ${name} lacks models: ${missing.join(', ')}`,
    zh: `推理服务器 ${name} 缺少模型：${missing.join(', ')}`,
  };
  return [{ code: 'ENGINE_MODEL_MISSING', subject: name, text }];
}

function otherRelease(
  { name }: Node,
  answer: NodeAnswer | undefined,
  { release: { version } }: Context,
): Finding[] {
  const other = answer?.release;
  if (other === undefined || other === version) return [];
  const text = {
    en: `the inference server ${name} has the release ${other}, and this server has ${version}`,
    zh: `推理服务器 ${name} 的版本是 ${other}，这台服务器是 ${version}`,
  };
  return [{ code: 'ENGINE_OTHER_RELEASE', subject: name, text }];
}
