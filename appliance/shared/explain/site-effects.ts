import {
  componentOf,
  type ServiceName,
  selectableComponents,
  serviceNames,
} from '#contract/component-names.ts';
import { inLanguage, type Language, type Text } from '#contract/text/language.ts';

/** What a change of a field does on a running server. */
interface SiteEffect {
  /** Components whose containers may restart. The gateway reads its files again without a restart. */
  readonly restarts: readonly ServiceName[];
  /** Whether it could lock out the administrator, so that a new login must confirm it. */
  readonly confirms?: true;
  /** For a field of a new server only: what to do instead. */
  readonly instead?: Text;
}

const atOnce: SiteEffect = { restarts: [] };
const restarts = (...names: readonly ServiceName[]): SiteEffect => ({ restarts: names });
const frontEnds = ['ui', ...selectableComponents] as const;
const onlyNew = (en: string, zh: string): SiteEffect => ({ restarts: [], instead: { en, zh } });

/**
 * The effects by field. The longest name counts: `tls` includes `tls.mode`. A test renders pairs of sites
 * and finds no other container that changes.
 */
export const siteEffects: Readonly<Record<string, SiteEffect>> = {
  release: onlyNew(
    'Later releases come from the channels of `updates`.',
    '新版本来自 `updates` 中的频道。',
  ),
  'admin.user': onlyNew(
    'Set up a new server with it, and restore a backup there.',
    '用新的用户名部署一台新服务器，再在其上恢复备份。',
  ),
  'admin.email': restarts('ui'),
  'admin.ssh_keys': { restarts: [], confirms: true },
  hosts: restarts('relay', ...frontEnds),
  tls: restarts('ui'),
  route: { restarts: ['engine', 'relay', 'tinyproxy', 'ui'], confirms: true },
  dns: { restarts: ['engine', 'balancer', 'relay', 'tinyproxy', ...frontEnds], confirms: true },
  socks: { restarts: [], confirms: true },
  ca: restarts('engine', 'relay', 'balancer'),
  mirrors: atOnce,
  docker: onlyNew(
    'It decides where Docker comes from when a server is set up.',
    '它决定部署服务器时从哪里安装 Docker。',
  ),
  upgrades: atOnce,
  timezone: atOnce,
  language: atOnce,
  updates: atOnce,
  backup: atOnce,
  restore: onlyNew(
    'Use `sudo landfall restore` on this server.',
    '在本服务器上请使用 `sudo landfall restore`。',
  ),
  components: restarts('relay', ...selectableComponents),
  models: restarts('engine', 'ui', 'relay', 'balancer'),
  engines: restarts('ui', 'relay', 'balancer'),
  // Docker restarts, because Swarm refuses to keep containers running meanwhile.
  'engines.swarm': restarts(...serviceNames),
  role: onlyNew(
    'Set up a new server with it: an engine node has no chat.',
    '用它部署一台新服务器：推理节点没有聊天功能。',
  ),
  engine_node: restarts('engine'),
  providers: restarts('relay', 'tinyproxy', ...frontEnds),
  hub: restarts('relay'),
  firewall: atOnce,
  report: atOnce,
  alerts: atOnce,
  relay: restarts('relay', 'ui'),
  'relay.keys': restarts('relay'),
  ui: restarts('ui'),
  tinyproxy: restarts('tinyproxy'),
  ports: restarts('engine', 'relay', 'tinyproxy', ...frontEnds),
  // They stand for other fields.
  variables: {
    restarts: ['engine', 'relay', 'tinyproxy', ...frontEnds],
    confirms: true,
  },
};

/**
 * Returns the effect of a change of a field.
 * @param field `tls.mode`
 * @throws Error for a field that the site does not have
 */
export function effectOf(field: string): SiteEffect {
  const parts = field.split('.');
  for (let length = parts.length; length > 0; length -= 1) {
    const name = parts.slice(0, length).join('.');
    const effect = Object.hasOwn(siteEffects, name) && siteEffects[name];
    if (effect) return effect;
  }
  throw new Error(`the site has no field ${field}`);
}

/** Returns what a change of a field does, as Markdown without a full stop. @throws Error as {@link effectOf} */
export function describeEffect(field: string, language: Language): string {
  const say = (en: string, zh: string) => inLanguage({ en, zh }, language);
  const { instead, restarts, confirms } = effectOf(field);
  if (instead) {
    const text = inLanguage(instead, language).replace(/[.\u3002]$/, '');
    return say(`only for a new server. ${text}`, `仅用于新服务器。${text}`);
  }
  const products = restarts.map((name) =>
    name === 'relay' ? say('the relay', '中继') : componentOf(name).product,
  );
  const names = products.join(say(', ', '、'));
  const space = /^\p{Script=Han}/u.test(names) ? '' : ' ';
  const effects = [
    ...(names === '' ? [] : [say(`can restart ${names}`, `可能重启${space}${names}`)]),
    ...(confirms
      ? [say('a new login must confirm it', '需要用新的登录执行 `sudo landfall confirm`')]
      : []),
  ];
  return (
    effects.join(say('; ', '；')) || say('at once; restarts nothing', '立即生效，不重启任何组件')
  );
}
