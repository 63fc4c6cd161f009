import { formatLatency } from '#contract/text/amount.ts';
import { messageOf } from '#contract/text/chinese-errors.ts';
import { inLanguage, type Text } from '#contract/text/language.ts';
import { plainLine } from '#contract/text/plain-line.ts';
import { alignRows } from '#contract/text/table.ts';
import { type Attempt, type AttemptFailure, timeOf } from './exchange/attempt.ts';
import type { ProviderReport, Verdict } from './probe-provider.ts';

/** Everything that a probe found. */
export interface ProbeReport {
  readonly providers: readonly ProviderReport[];
  readonly egress: { readonly direct: Egress; readonly proxy?: Egress };
  /** Host and port of the proxy, without its login. */
  readonly proxy?: string;
  readonly verdict: Verdict;
}

/** The address from which a server sees this machine, or why it is unknown. */
export type Egress = { readonly address: string } | { readonly failure: AttemptFailure };

const labels = {
  direct: { en: 'egress, direct', zh: '出口地址（直连）' },
  byProxy: { en: 'egress by proxy', zh: '出口地址（代理）' },
  verdict: { en: 'verdict', zh: '结论' },
};
const routes = {
  direct: { en: 'direct', zh: '直连' },
  corrected: { en: 'right address', zh: '正确的地址' },
  proxy: { en: 'proxy', zh: '代理' },
};
const dnsStates = {
  clean: { en: 'DNS, clean', zh: 'DNS，正常' },
  polluted: { en: 'DNS, polluted', zh: 'DNS，被污染' },
  suspected: { en: 'DNS, suspected', zh: 'DNS，可能被污染' },
  unknown: { en: 'DNS, unknown', zh: 'DNS，未知' },
} satisfies Record<ProviderReport['dns']['state'], Text>;

/** Returns the cause of a failed request; in Chinese after the meaning of its code. */
function reasonOf({ code, reason }: AttemptFailure): Text {
  return messageOf({ code, message: reason });
}

/** Formats a failed request. */
export function failed(failure: AttemptFailure): string {
  const { en, zh } = reasonOf(failure);
  return inLanguage({ en: `FAILED: ${en}`, zh: `失败：${zh}` });
}

const heads = {
  en: 'provider|route|DNS|connect|TLS|response|result',
  zh: '模型服务商|线路|DNS|连接|TLS|响应|结果',
};

/** Formats a report as a table, with the egress addresses, DNS findings and the verdict below. */
export function probeTable({ providers, egress, proxy, verdict }: ProbeReport): string {
  const right = { align: 'right' } as const;
  const rows = alignRows(
    [inLanguage(heads).split('|'), ...providers.flatMap(rowsOf)],
    [{}, {}, right, right, right, right, {}],
  );
  const ways = proxy === undefined ? [] : [[inLanguage(labels.byProxy), addressOf(egress.proxy)]];
  const facts = [
    [inLanguage(labels.direct), addressOf(egress.direct)],
    ...ways,
    ...(proxy === undefined ? [] : [[inLanguage(routes.proxy), proxy]]),
    ...providers.flatMap(dnsFacts),
    [inLanguage(labels.verdict), describeVerdict(verdict)],
  ];
  return [...rows, '', ...alignRows(facts)].join('\n');
}

function rowsOf({ name, direct, corrected, proxy }: ProviderReport): string[][] {
  const rows = [{ route: routes.direct, attempt: direct }];
  if (corrected) rows.push({ route: routes.corrected, attempt: corrected });
  if (proxy) rows.push({ route: routes.proxy, attempt: proxy });
  return rows.map(({ route, attempt }, index) => [
    index === 0 ? plainLine(name, 64) : '',
    inLanguage(route),
    timeIn(attempt, 'dns'),
    timeIn(attempt, 'tcp') || timeIn(attempt, 'proxy'),
    timeIn(attempt, 'tls'),
    timeIn(attempt, 'http'),
    resultOf(attempt),
  ]);
}

function timeIn(attempt: Attempt, step: Parameters<typeof timeOf>[1]): string {
  const took = timeOf(attempt, step);
  return took === undefined ? '' : formatLatency(took);
}

function resultOf({ status, failure }: Attempt): string {
  if (failure !== undefined) return failed(failure);
  return inLanguage({ en: `reachable (status ${status})`, zh: `可访问（状态 ${status}）` });
}

function addressOf(egress: Egress | undefined): string {
  if (egress === undefined) return inLanguage(notUsed);
  if ('address' in egress) return egress.address;
  const { en, zh } = reasonOf(egress.failure);
  return inLanguage({ en: `unknown: ${en}`, zh: `未知：${zh}` });
}

const notUsed = { en: 'not used for the echo service', zh: '没有用于回显服务' };
const noAddress = { en: 'no address', zh: '没有地址' };

function encrypted(addresses: string): Text {
  return { en: `; encrypted answer: ${addresses}`, zh: `；加密查询的结果：${addresses}` };
}

/** Addresses that fit into one line. */
const maxAddresses = 3;

function dnsFacts({ url, dns }: ProviderReport): string[][] {
  const { state, system, trusted = [] } = dns;
  const isKnown = state !== 'unknown' || system.length > 0;
  if (state === 'clean' || !isKnown) return [];
  const list = (addresses: readonly string[]) =>
    addresses.slice(0, maxAddresses).join(', ') || inLanguage(noAddress);
  const compared = trusted.length > 0 ? inLanguage(encrypted(list(trusted))) : '';
  return [[inLanguage(dnsStates[state]), `${url.hostname}: ${list(system)}${compared}`]];
}

/** Formats a verdict as one line, with the remedy of SPEC 7. */
export function describeVerdict(verdict: Verdict): string {
  const { polluted } = verdict;
  const names = polluted.join(', ');
  const remedy = {
    en: `. DNS is polluted for ${names}: use a public DNS server, a proxy that resolves names, or proxy_dns in proxychains; the system may overwrite resolv.conf`,
    zh: `。${names} 的 DNS 被污染：请使用公共 DNS 服务器、能解析域名的代理，或 proxychains 的 proxy_dns；系统可能会覆盖 resolv.conf`,
  };
  return `${inLanguage(sentenceOf(verdict))}${polluted.length > 0 ? inLanguage(remedy) : ''}`;
}

function sentenceOf({ kind, providers, triedProxy }: Verdict): Text {
  const names = providers.join(', ');
  switch (kind) {
    case 'direct':
      return { en: 'direct access works; no proxy is needed', zh: '可以直连，不需要代理' };
    case 'proxy':
      return { en: `the proxy works; use it for ${names}`, zh: `代理可用；请用它访问 ${names}` };
    case 'dns':
      return {
        en: `direct access to ${names} works with the right addresses`,
        zh: `用正确的地址可以直连 ${names}`,
      };
    case 'relay':
      return triedProxy
        ? {
            en: `no route works for ${names}: check the settings and the port of the proxy, or use a relay`,
            zh: `没有线路能访问 ${names}：请检查代理的设置和端口，或使用中继`,
          }
        : {
            en: `no route works for ${names}: use a proxy or a relay`,
            zh: `没有线路能访问 ${names}：请使用代理或中继`,
          };
  }
}
