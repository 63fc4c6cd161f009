import { type HostComponent, hostComponents, selectableComponents } from '../component-names.ts';
import type { FieldProblem } from '../errors.ts';
import { inLanguage } from '../text/language.ts';
import { checkTls } from './certificates/rules.ts';
import { checkEngineNode } from './engines/node-rules.ts';
import { checkEngines } from './engines/rules.ts';
import { checkNetwork } from './network/rules.ts';
import { adviseBase, baseFlaw, describeBaseFlaw } from './providers/provider-base.ts';
import type { Site } from './site.ts';
import { checkStack } from './stack-rules.ts';
import { windowOf } from './updates.ts';

/**
 * Checks rules across the fields of a site and returns all problems. The builder calls it before
 * rendering user-data, the server before it starts, because the administrator may edit the site.
 * @param site the fields of a site that are individually valid
 */
export function checkSite(site: Partial<Site>): FieldProblem[] {
  return [
    ...checkTls(site),
    ...checkHosts(site),
    ...checkDisabledHosts(site),
    ...checkEngines(site),
    ...checkEngineNode(site),
    ...checkProviders(site),
    ...checkUpdates(site),
    ...checkStack(site),
    ...checkNetwork(site),
  ];
}

function checkHosts({ hosts = {} }: Partial<Site>): FieldProblem[] {
  const takenBy = new Map<string, string>();
  return hostComponents.flatMap((name) => {
    const host = hosts[name];
    if (host === undefined) return [];
    const other = takenBy.get(host);
    takenBy.set(host, name);
    if (other === undefined) return [];
    return [
      {
        at: ['hosts', name],
        message: inLanguage({
          en: `hosts.${name} and hosts.${other} are both ${host}`,
          zh: `hosts.${name} 和 hosts.${other} 都是 ${host}`,
        }),
        hint: inLanguage({
          en: `Set a separate host name for each component, such as ${name}.${host.split('.').slice(1).join('.')}.`,
          zh: `为每个组件设置单独的域名，例如 ${name}.${host.split('.').slice(1).join('.')}。`,
        }),
      },
    ];
  });
}

/** Rejects a host name of a disabled component: it would get a certificate, but no service. */
function checkDisabledHosts({ hosts, components }: Partial<Site>): FieldProblem[] {
  if (!hosts || !components) return [];
  return selectableComponents
    .filter((name): name is typeof name & HostComponent => hostComponents.includes(name))
    .filter((name) => hosts[name] !== undefined && !components[name])
    .map((name) => ({
      at: ['hosts', name],
      message: inLanguage({
        en: `hosts.${name} is ${hosts[name]}, but components.${name} is disabled`,
        zh: `hosts.${name} 是 ${hosts[name]}，但 components.${name} 没有启用`,
      }),
      hint: inLanguage({
        en: `Enable it with components: { ${name}: true }, or remove hosts.${name}.`,
        zh: `用 components: { ${name}: true } 启用，或删除 hosts.${name}。`,
      }),
    }));
}

function checkProviders({ providers = {}, hub, relay }: Partial<Site>): FieldProblem[] {
  // Both keys would have the same name.
  const isTwice = hub !== undefined && Object.hasOwn(providers, 'hub');
  const twice = {
    at: ['hub'],
    message: inLanguage({
      en: 'hub and providers.hub are both set',
      zh: '同时设置了 hub 和 providers.hub',
    }),
    hint: inLanguage({ en: 'Rename the provider.', zh: '给模型服务商换个名称。' }),
  };
  const isLocalTwice = relay?.local === true && Object.hasOwn(providers, 'local');
  const localTwice = {
    at: ['relay', 'local'],
    message: inLanguage({
      en: 'relay.local and providers.local are both set',
      zh: '同时设置了 relay.local 和 providers.local',
    }),
    hint: inLanguage({ en: 'Rename the provider.', zh: '给模型服务商换个名称。' }),
  };
  const flawed = Object.entries(providers).flatMap(([name, { base_url: url }]) => {
    const flaw = baseFlaw(url);
    if (flaw === undefined) return [];
    return [
      {
        at: ['providers', name, 'base_url'],
        message: `providers.${name}.base_url ${inLanguage(describeBaseFlaw(flaw))}`,
        hint: adviseBase(url),
      },
    ];
  });
  return [...(isTwice ? [twice] : []), ...(isLocalTwice ? [localTwice] : []), ...flawed];
}

/** Minutes. The server begins within the first ten, and an update takes some. */
const minWindow = 30;

function checkUpdates({ updates }: Partial<Site>): FieldProblem[] {
  const { mode, channels = [] } = updates ?? {};
  if (!updates || mode === undefined || mode === 'off') return [];
  const problems: FieldProblem[] = [];
  if (channels.length === 0) {
    const message = inLanguage({
      en: `updates.mode ${mode} needs a channel`,
      zh: `updates.mode ${mode} 需要更新频道`,
    });
    problems.push({
      at: ['updates', 'mode'],
      message,
      hint: inLanguage({ en: 'Set `updates.channels`.', zh: '设置 `updates.channels`。' }),
    });
  }
  const { length } = windowOf({ updates });
  if (mode === 'install' && length < minWindow) {
    const message = inLanguage({
      en: `updates.window is ${length} minutes long, and must be at least ${minWindow}`,
      zh: `updates.window 只有 ${length} 分钟，至少要 ${minWindow} 分钟`,
    });
    problems.push({
      at: ['updates', 'window'],
      message,
      hint: inLanguage({ en: 'Use 03:00-05:00.', zh: '可用 03:00-05:00。' }),
    });
  }
  return problems;
}
