import type { Problem } from '#contract/errors.ts';
import {
  covers,
  formatOpening,
  formatPorts,
  type Opening,
  overlaps,
} from '#contract/site/opening.ts';
import { inLanguage, type Text } from '#contract/text/language.ts';
import { formatProblem } from '#contract/text/problem.ts';
import { alignRows } from '#contract/text/table.ts';
import type { Host } from '../../server/host/host.ts';
import { sshOpening } from './facts.ts';
import { foreignRuleProblems } from './foreign-rules.ts';
import { loadedTable, markOf } from './public.ts';
import { swarmProblems } from './swarm.ts';
import { type FirewallFacts, renderTable } from './table.ts';
import { deletion, parseUfwStatus, type UfwOpening, type UfwStatus, ufwStatusText } from './ufw.ts';

interface Differences {
  /** Where the firewall does not match its settings. */
  readonly problems: readonly Problem[];
  /** Ports that only UFW opens, by a rule of the administrator: they stay closed, which is safe. */
  readonly closedHere: readonly ClosedHere[];
}

/** A port that only UFW opens: `8443/tcp`. */
interface ClosedHere extends Problem {
  readonly opening: string;
}

/**
 * Compares our table with its settings, and UFW's rules with our table. A port is open only if both
 * allow it.
 */
export async function firewallDifferences(host: Host, facts: FirewallFacts): Promise<Differences> {
  const [table, ufw, foreign] = await Promise.all([
    loadedTable(host),
    ufwStatusText(host),
    foreignRuleProblems(host),
  ]);
  const { problems, closedHere } = ufwDifferences(parseUfwStatus(ufw), facts);
  return { problems: [...tableProblems(table, facts), ...problems, ...foreign], closedHere };
}

const applyHint = {
  en: 'Run: sudo landfall firewall apply',
  zh: '运行：sudo landfall firewall apply',
};
const notLoaded = { en: "Landfall's table is not loaded", zh: 'Landfall 的规则表没有载入' };
const otherTable = {
  en: "Landfall's table does not match the settings",
  zh: 'Landfall 的规则表与设置不一致',
};
const inactive = { en: 'UFW is not active', zh: 'UFW 没有启用' };
const notClosed = {
  en: 'UFW does not deny incoming traffic by default',
  zh: 'UFW 默认没有拒绝传入的连接',
};
const keepsContainers = {
  en: 'UFW keeps containers from the proxy client',
  zh: 'UFW 阻止容器连接代理客户端',
};
const opensForNone = {
  en: 'UFW opens a port for a proxy client that this server does not have',
  zh: 'UFW 为代理客户端开放了端口，但这台服务器没有代理客户端',
};
const closedInUfw = (opening: string) => ({
  en: `${opening} is open in Landfall's table, but closed in UFW`,
  zh: `${opening} 在 Landfall 的规则表中开放，但在 UFW 中关闭`,
});

function tableProblems(loaded: string | undefined, facts: FirewallFacts): Problem[] {
  const hint = inLanguage(applyHint);
  if (loaded === undefined) return [{ message: inLanguage(notLoaded), hint }];
  if (markOf(loaded) === markOf(renderTable(facts))) return [];
  return [{ message: inLanguage(otherTable), hint }];
}

/**
 * Compares UFW's rules with the openings of our table. Rules of the administrator for a source are not
 * reported.
 */
export function ufwDifferences(
  ufw: UfwStatus,
  { ssh, openings, client, swarm }: FirewallFacts,
): Differences {
  const hint = inLanguage(applyHint);
  if (!ufw.active) return { problems: [{ message: inLanguage(inactive), hint }], closedHere: [] };
  const ours = [...ssh.map(sshOpening), ...openings];
  const closedHere = ufw.openings.filter(
    (theirs) => theirs.from === undefined && !ours.some((own) => covers(own, theirs)),
  );
  const closedThere = ours.filter((own) => !ufw.openings.some((theirs) => covers(theirs, own)));
  const messages = [
    !ufw.closed && inLanguage(notClosed),
    client && !ufw.opensClient && inLanguage(keepsContainers),
    !client && ufw.opensClient && inLanguage(opensForNone),
    ...swarmProblems(ufw, swarm),
    ...closedThere.map((own) => inLanguage(closedInUfw(formatOpening(own)))),
  ].filter((message) => typeof message === 'string');
  return {
    problems: messages.map((message) => ({ message, hint })),
    closedHere: closedHere.map((theirs) => describeClosedHere(theirs, ours)),
  };
}

function describeClosedHere(theirs: UfwOpening, ours: readonly Opening[]): ClosedHere {
  const text = formatOpening(theirs);
  const own = ours.find((each) => each.from !== undefined && overlaps(each, theirs));
  if (own) {
    return {
      opening: text,
      message: inLanguage({
        en: `${text} is open for everyone in UFW, but ${formatPorts(own)} is open for the clients of the site only`,
        zh: `UFW 对所有人开放 ${text}，而站点只对它的客户端开放 ${formatPorts(own)}`,
      }),
      hint: inLanguage({ en: `Run: ${deletion(theirs)}`, zh: `运行：${deletion(theirs)}` }),
    };
  }
  return {
    opening: text,
    message: inLanguage({
      en: `${text} is open in UFW, but closed in Landfall's table`,
      zh: `${text} 在 UFW 中开放，但在 Landfall 的规则表中关闭`,
    }),
    hint: inLanguage({
      en: `To open it, run: sudo landfall firewall allow ${text}. To close it, run: ${deletion(theirs)}`,
      zh: `要开放，请运行：sudo landfall firewall allow ${text}。要关闭，请运行：${deletion(theirs)}`,
    }),
  };
}

/** The output of `landfall firewall list --json`. */
interface FirewallList {
  /** Ports of SSH. */
  readonly ssh: readonly number[];
  /** Other open ports, such as `443/tcp`. */
  readonly open: readonly string[];
  /** Ports that are open for some clients only, on an engine node. */
  readonly openFor?: ReadonlyArray<{ readonly ports: string; readonly clients: readonly string[] }>;
  /** Private endpoints that containers may reach, such as `10.0.0.2:7890`. */
  readonly reachable: readonly string[];
  readonly problems: readonly Problem[];
}

export function listFirewall(
  facts: FirewallFacts,
  { problems, closedHere }: Differences,
): FirewallList {
  return {
    ssh: facts.ssh,
    open: facts.openings.filter(({ from }) => from === undefined).map(formatOpening),
    ...openFor(facts),
    reachable: facts.destinations.map(({ address, port, link }) => {
      const host = address.includes(':') ? `[${address}]` : address;
      return `${host}:${port}${link === undefined ? '' : ' (relay only)'}`;
    }),
    problems: [...problems, ...closedHere.map(({ opening: _, ...problem }) => problem)],
  };
}

function openFor({ openings }: FirewallFacts): Pick<FirewallList, 'openFor'> {
  const clients = Map.groupBy(
    openings.filter(({ from }) => from !== undefined),
    formatPorts,
  );
  if (clients.size === 0) return {};
  return {
    openFor: [...clients].map(([ports, each]) => ({
      ports,
      clients: each.flatMap(({ from }) => from ?? []),
    })),
  };
}

const rateLimited = {
  en: 'SSH, new connections are rate-limited',
  zh: 'SSH，限制新连接的频率',
};

function fromOnly(clients: readonly string[]): string {
  const list = clients.join(', ');
  return inLanguage({ en: `only from ${list}`, zh: `仅限 ${list}` });
}

function reachableBy(endpoints: string): Text {
  return {
    en: `Private endpoints that containers can reach: ${endpoints}`,
    zh: `容器可以访问的内网地址：${endpoints}`,
  };
}

/** Formats the list as text. */
export function describeFirewall(list: FirewallList): string {
  const { ssh, open, openFor = [], reachable, problems } = list;
  return [
    inLanguage({ en: 'From outside, over IPv4 and IPv6:', zh: '从外部可访问（IPv4 和 IPv6）：' }),
    ...alignRows([
      ...ssh.map((port) => [`  ${port}/tcp`, inLanguage(rateLimited)]),
      ...open.map((port) => [`  ${port}`]),
      ...openFor.map(({ ports, clients }) => [`  ${ports}`, fromOnly(clients)]),
    ]),
    ...(reachable.length > 0 ? [inLanguage(reachableBy(reachable.join(', ')))] : []),
    ...problems.map((problem) => `! ${formatProblem(problem)}`),
  ].join('\n');
}
