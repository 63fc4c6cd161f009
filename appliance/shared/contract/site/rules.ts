import { type HostComponent, hostComponents, selectableComponents } from '../component-names.ts';
import type { FieldProblem } from '../errors.ts';
import { inLanguage } from '../text/language.ts';
import { hostNames } from './enabled.ts';
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

function checkTls({ tls, admin, hosts }: Partial<Site>): FieldProblem[] {
  if (!tls) return [];
  const problems: FieldProblem[] = [];
  const asksAuthority =
    tls.mode === 'acme' || tls.mode === 'acme-staging' || tls.mode === 'acme-ip';
  if (asksAuthority && !tls.accept_terms) {
    problems.push({
      at: ['tls', 'accept_terms'],
      message: inLanguage({
        en: `tls.mode ${tls.mode} needs tls.accept_terms: true`,
        zh: `tls.mode ${tls.mode} 需要 tls.accept_terms: true`,
      }),
      hint: inLanguage({
        en: "Read the certificate authority's terms (https://letsencrypt.org/repository/) and set it, or use mode: internal.",
        zh: '阅读证书颁发机构的条款（https://letsencrypt.org/repository/）后设置它，或用 mode: internal。',
      }),
    });
  }
  if (asksAuthority && admin && admin.email === undefined) {
    problems.push({
      at: ['admin', 'email'],
      message: inLanguage({
        en: `tls.mode ${tls.mode} needs admin.email`,
        zh: `tls.mode ${tls.mode} 需要 admin.email`,
      }),
      hint: inLanguage({
        en: 'Set your address, as in admin: { email: me@example.com }; it is used for the account at the certificate authority.',
        zh: '设置您的邮箱，例如 admin: { email: me@example.com }；它用于证书颁发机构的账户。',
      }),
    });
  }
  const unnamed = hosts && hostNames({ hosts }).length === 0;
  if (tls.mode !== 'acme-ip' && asksAuthority && unnamed) {
    problems.push({
      at: ['tls', 'mode'],
      message: inLanguage({
        en: `tls.mode ${tls.mode} needs a host name, but hosts has none`,
        zh: `tls.mode ${tls.mode} 需要域名，但 hosts 中没有`,
      }),
      hint: inLanguage({
        en: 'Add hosts.ui, or use mode: acme-ip for a certificate of the bare address.',
        zh: '添加 hosts.ui，或用 mode: acme-ip 为 IP 地址申请证书。',
      }),
    });
  }
  if (tls.mode === 'acme-ip' && hosts && !unnamed) {
    problems.push({
      at: ['tls', 'mode'],
      message: inLanguage({
        en: 'tls.mode acme-ip is for sites without host names, but hosts has some',
        zh: 'tls.mode acme-ip 用于没有域名的站点，但 hosts 中有域名',
      }),
      hint: inLanguage({
        en: 'Use mode: acme, or remove hosts; with host names, the server rejects requests to its bare address.',
        zh: '用 mode: acme，或删除 hosts；有域名时，服务器拒绝用 IP 地址的访问。',
      }),
    });
  }
  if (tls.server && tls.mode !== 'acme' && tls.mode !== 'acme-ip') {
    problems.push({
      at: ['tls', 'server'],
      message: inLanguage({
        en: `tls.server has no effect with tls.mode ${tls.mode}`,
        zh: `tls.mode 为 ${tls.mode} 时 tls.server 不起作用`,
      }),
      hint: inLanguage({
        en: 'Use mode: acme or acme-ip, or remove tls.server.',
        zh: '用 mode: acme 或 acme-ip，或删除 tls.server。',
      }),
    });
  }
  return problems;
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
