import { listedName } from '#contract/sizes/local-models.ts';
import { inLanguage, type Text } from '#contract/text/language.ts';
import { trustBundle } from '../../../../server/certificates/trust.ts';
import { plainFile, type RenderedFile } from '../../rendered-file.ts';
import type { StackInput } from '../../stack-input.ts';
import { type EngineGroup, engineGroups, portOfGroup } from './groups.ts';
import { balancerFolder, caFile, renderHaproxy } from './haproxy.ts';

/** HAProxy's configuration, below the folder of the stack. */
export const haproxyFile = 'balancer/haproxy.cfg';
const siteAuthorities = 'authorities.pem';

/** Renders HAProxy's configuration and the certificate authorities of the nodes. */
export function renderBalancer(input: StackInput): RenderedFile[] {
  const { engines } = input.site;
  const bundle = trustBundle(input.site);
  const nodes = engines?.nodes ?? [];
  return [
    plainFile(
      haproxyFile,
      renderHaproxy(groupsOf(input), {
        digests: digestsOf(input),
        ...(bundle ? { authorities: `${balancerFolder}/${siteAuthorities}` } : {}),
      }),
    ),
    ...(bundle ? [plainFile(`balancer/${siteAuthorities}`, bundle)] : []),
    ...nodes.flatMap(({ name, ca }) => (ca ? [plainFile(`balancer/${caFile(name)}`, ca)] : [])),
  ];
}

/** Returns the endpoints of the chat UI. */
export function balancerVariables(input: StackInput): Record<string, string> {
  return input.site.engines ? { BALANCER_URLS: groupUrls(input, 'balancer').join(';') } : {};
}

/** Returns the URL of each group, which lists its own models only. Each serves the models of all. */
export function groupUrls(input: StackInput, host: string): string[] {
  return groupsOf(input).map(({ number }) => `http://${host}:${portOfGroup(number)}`);
}

/** Returns one line per group, which says where requests for its models go. */
export function describeGroups(input: Pick<StackInput, 'site' | 'models'>): string[] {
  return groupsOf(input).map(({ models, servers }) => {
    const names = servers.map(({ name, slots, backup, count }): Text => {
      const each = slots === 1 ? '1 slot' : `${slots} slots`;
      const facts = [count === undefined ? each : `${each} each`, ...(backup ? ['backup'] : [])];
      return {
        en: `${count === undefined ? name : 'the nodes of the Swarm'} (${facts.join(', ')})`,
        zh: `${count === undefined ? name : 'Swarm 的每个节点'}（${slots} 个槽位${backup ? '，备用' : ''}）`,
      };
    });
    return inLanguage({
      en: `send requests for ${models.join(', ') || 'other models'} to ${names.map(({ en }) => en).join(', ')}`,
      zh: `把${models.length > 0 ? ` ${models.join('、')} ` : '其他模型'}的请求发送到 ${names.map(({ zh }) => zh).join('、')}`,
    });
  });
}

/** Returns the digests of the models of the release, by name as Ollama lists them. */
function digestsOf({ releaseModels = [] }: StackInput): ReadonlyMap<string, string> {
  return new Map(
    releaseModels.flatMap((model) => (model.manifest ? [[listedName(model), model.manifest]] : [])),
  );
}

/** Returns the groups of servers of a site; none without `engines`. */
function groupsOf({ site, models }: Pick<StackInput, 'site' | 'models'>): EngineGroup[] {
  return site.engines ? engineGroups(site.engines, models?.models.map(listedName) ?? []) : [];
}
