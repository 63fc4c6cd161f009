import type { FieldProblem } from '../errors.ts';
import { inBoth, inLanguage, type Text } from '../text/language.ts';
import { isEnabled } from './enabled.ts';
import { openPublicPorts } from './network/public-ports.ts';
import { isWideRange } from './network/wide-range.ts';
import { adviseBase, baseFlaw, describeBaseFlaw } from './providers/provider-base.ts';
import { clientOf } from './relay/relay-settings.ts';
import type { Site } from './site.ts';
import { freePort } from './stack.ts';
import { routeVariables } from './variables.ts';

/** Checks the stack settings of a site and returns all problems. */
export function checkStack(site: Partial<Site>): FieldProblem[] {
  return [
    ...checkPorts(site),
    ...checkRelayKeys(site),
    ...checkKeyProviders(site),
    ...checkTinyproxy(site),
    ...checkVariables(site),
  ];
}

/** SPEC 7: finds port conflicts before anything starts. Those with `hosts.port` are reported there. */
function checkPorts({ ports, hosts = {} }: Partial<Site>): FieldProblem[] {
  const { port: _moved, ...fixed } = hosts;
  const users = new Map<number, Text>([
    [22, inBoth('SSH')],
    ...openPublicPorts({ hosts: fixed }).map((port): [number, Text] => [
      port,
      { en: 'the gateway', zh: 'gateway' },
    ]),
  ]);
  return Object.entries(ports ?? {}).flatMap(([name, port]) => {
    const other = users.get(port);
    users.set(port, inBoth(`ports.${name}`));
    if (other === undefined) return [];
    const free = freePort(port, [...users.keys(), ...Object.values(ports ?? {})]);
    return [
      {
        at: ['ports', name],
        message: inLanguage({
          en: `ports.${name} is ${port}, which ${other.en} already uses`,
          zh: `ports.${name} 是 ${port}，已被 ${other.zh} 占用`,
        }),
        hint: inLanguage({
          en: `Use another port; ${free} is free.`,
          zh: `换一个端口；${free} 空闲。`,
        }),
      },
    ];
  });
}

/** Rejects keys for a relay that does not run. */
function checkRelayKeys(site: Partial<Site>) {
  const { relay, providers, variables, hosts, components, hub } = site;
  if (!relay?.keys.length || !providers || !variables || !hosts || !components) return [];
  const named = bases.some(([name]) => variables[name] !== undefined);
  if (named || isEnabled({ providers, hosts, components, hub, relay }, 'relay')) return [];
  return [
    {
      at: ['relay', 'keys'],
      message: inLanguage({
        en: `relay.keys lists ${relay.keys.map(clientOf).join(', ')}, but the relay is not enabled`,
        zh: `relay.keys 中有 ${relay.keys.map(clientOf).join(', ')}，但中继没有启用`,
      }),
      hint: inLanguage({
        en: 'Add a provider, as in providers: { openai: { base_url: https://api.openai.com/v1 } }, set relay.local: true for the local models, or remove relay.keys.',
        zh: '添加模型服务商，例如 providers: { openai: { base_url: https://api.openai.com/v1 } }；要提供本地模型，设置 relay.local: true；或删除 relay.keys。',
      }),
    },
  ];
}

/** Rejects keys for providers that the site does not have. */
function checkKeyProviders({ relay, providers, variables, hub }: Partial<Site>): FieldProblem[] {
  if (!relay || !providers || !variables) return [];
  const known = [
    ...Object.keys(providers),
    ...bases.flatMap(([name, provider]) => (variables[name] === undefined ? [] : [provider])),
    ...(hub ? ['hub'] : []),
    ...(relay.local ? ['local'] : []),
  ];
  return relay.keys.flatMap((key, index) => {
    const wanted = typeof key === 'string' ? [] : (key.providers ?? []);
    const unknown = wanted.find((name) => !known.includes(name));
    if (unknown === undefined) return [];
    return [
      {
        at: ['relay', 'keys', index, 'providers'],
        message: inLanguage({
          en: `relay.keys: the key ${clientOf(key)} has the unknown provider ${unknown}`,
          zh: `relay.keys：密钥 ${clientOf(key)} 使用了未知的模型服务商 ${unknown}`,
        }),
        hint:
          known.length > 0
            ? inLanguage({ en: `Use ${known.join(', ')}.`, zh: `可用：${known.join('、')}。` })
            : inLanguage({
                en: 'Add the provider to providers.',
                zh: '把模型服务商加入 providers。',
              }),
      },
    ];
  });
}

/** Rejects an open proxy: it is found and abused within hours. */
function checkTinyproxy({ tinyproxy, variables }: Partial<Site>): FieldProblem[] {
  const ranges = [...(tinyproxy?.allow ?? []), variables?.TINYPROXY_ALLOW ?? ''];
  const tooWide = ranges.find(isWideRange);
  if (!tooWide || !tinyproxy?.open) return [];
  return [
    {
      at: ['tinyproxy', 'open'],
      message: inLanguage({
        en: `the proxy is open to ${tooWide} without a password`,
        zh: `代理对 ${tooWide} 开放，且没有密码`,
      }),
      hint: inLanguage({
        en: 'Remove tinyproxy.open, or list the allowed addresses in tinyproxy.allow.',
        zh: '删除 tinyproxy.open，或在 tinyproxy.allow 中列出允许的地址。',
      }),
    },
  ];
}

function checkVariables(site: Partial<Site>): FieldProblem[] {
  const { variables = {}, route, providers = {} } = site;
  const twice = (name: keyof typeof variables, setting: string): FieldProblem => ({
    at: ['variables', name],
    message: inLanguage({
      en: `variables.${name} and ${setting} have different values`,
      zh: `variables.${name} 和 ${setting} 的值不同`,
    }),
    hint: inLanguage({
      en: `Keep ${setting} and remove the variable.`,
      zh: `保留 ${setting}，删除这个变量。`,
    }),
  });
  const problems: FieldProblem[] = [];
  const { HTTP_PROXY, HTTPS_PROXY } = routeVariables(variables);
  const proxy = HTTPS_PROXY ?? HTTP_PROXY;
  if (proxy && route && route.mode !== 'direct' && !('url' in route && route.url === proxy)) {
    const names = ['HTTPS_PROXY', 'https_proxy', 'HTTP_PROXY', 'http_proxy'] as const;
    problems.push(twice(names.find((name) => variables[name]) ?? 'HTTP_PROXY', 'route'));
  }
  for (const [name, other] of bothCases) {
    const [one, two] = [variables[name], variables[other]];
    if (one !== undefined && two !== undefined && one !== two) {
      problems.push(twice(name, `variables.${other}`));
    }
  }
  for (const [name, provider] of bases) {
    const url = variables[name];
    if (url === undefined) continue;
    const set = providers[provider]?.base_url;
    if (set !== undefined && set !== url) problems.push(twice(name, `providers.${provider}`));
    const flaw = baseFlaw(url);
    if (flaw !== undefined) {
      problems.push({
        at: ['variables', name],
        message: `variables.${name} ${inLanguage(describeBaseFlaw(flaw))}`,
        hint: adviseBase(url),
      });
    }
  }
  const { PROVIDER_BASE_URL: base, PROVIDER_PROXY_URL: own } = variables;
  if (base !== undefined && own !== undefined && base !== own) {
    problems.push(twice('PROVIDER_PROXY_URL', 'variables.PROVIDER_BASE_URL'));
  }
  return problems;
}

const bothCases = [
  ['http_proxy', 'HTTP_PROXY'],
  ['https_proxy', 'HTTPS_PROXY'],
  ['no_proxy', 'NO_PROXY'],
] as const;

const bases = [
  ['PROVIDER_BASE_URL', 'provider'],
  ['PROVIDER_PROXY_URL', 'provider'],
  ['SECOND_PROVIDER_BASE_URL', 'second-provider'],
] as const;
