import { type ServiceName, selectableComponents, serviceNames } from '#contract/component-names.ts';
import type { Text } from '#contract/text/language.ts';

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
