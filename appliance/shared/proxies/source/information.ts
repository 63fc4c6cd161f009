import type { Parts } from '../model/settings.ts';
import type { ProxyEntry } from '../protocols/registry.ts';
import type { Located, Report } from './report.ts';

const accountWords = [
  ...['[剩可][余餘用]流量', '(?:已用|总|總|本月)流量', '流量重置', '(?:距离?|距離)?下次重置'],
  ...['套餐(?:到期|剩[余餘]|时间|時間)', '(?:到期|[过過]期|有效)(?:时间|時間|日期|期)?'],
].join('|');
const englishAccountWords = [
  '(?:remaining |used |total |left )?traffic(?: (?:reset|left|used|remaining))?',
  ...['data left', 'expir(?:e|es|ed|y|ation)(?: (?:date|time|at))?', 'days left', 'reset in'],
].join('|');

/** Names with a value of the account, such as `剩余流量：388.49 GB`. No server is named so. */
const values = new RegExp(
  `^[^\\p{L}]*(?:(?:${accountWords})[^:：]{0,8}|(?:${englishAccountWords})\\s*)[:：]\\s*\\S`,
  'iu',
);

/** Names of announcements. Some servers have such names, too. A text: esbuild does not escape patterns. */
const announcements = new RegExp(
  [
    ...['官[网網方]', '[网網]址', '客服', '公告', '通知', '[频頻]道', '交流群', '[电電][报報]群'],
    ...['[续續][费費]', '[发發]布[页頁]', '防失[联聯]', '更新[订訂][阅閱]'],
    ...['t\\.me', 'telegram', 'https?:\\/\\/'],
  ].join('|'),
  'iu',
);

/** Addresses without a server. */
const nowhere = /^(?:127\.|0\.0\.0\.0$|localhost$|::1?$)/;

/**
 * Removes entries with which panels show information of the account in the list of proxies. They are known by
 * their name; announcements also have no server, or server and login of another entry.
 */
export function withoutInformation(parts: Parts, report: Report): Parts {
  const { proxies, groups } = parts;
  const isNamed = ({ name }: ProxyEntry) => values.test(name) || announcements.test(name);
  const servers = new Set(
    proxies.filter(({ entry }) => !isNamed(entry)).map(({ entry }) => accessOf(entry)),
  );
  const isInformation = ({ entry }: Located<ProxyEntry>) =>
    values.test(entry.name) ||
    (announcements.test(entry.name) &&
      (nowhere.test(entry.server) || servers.has(accessOf(entry))));
  const found = proxies.filter(isInformation);
  if (found.length === 0) return parts;
  for (const { position } of found) report.note(position, 'information');
  const names = new Set(found.map(({ entry }) => entry.name));
  return {
    ...parts,
    proxies: proxies.filter((proxy) => !isInformation(proxy)),
    groups: groups.map(({ entry, position }) => ({
      entry: { ...entry, proxies: entry.proxies.filter((name) => !names.has(name)) },
      position,
    })),
  };
}

/** Returns everything of an entry but its name. */
function accessOf(entry: ProxyEntry): string {
  return JSON.stringify({ ...entry, name: '' });
}
