import { formatBytes, formatDuration } from '#contract/text/amount.ts';
import { inLanguage, type Text } from '#contract/text/language.ts';
import { alignRows } from '#contract/text/table.ts';
import { formatTime } from '#contract/text/time-zone.ts';
import { wrap } from '#contract/text/wrap.ts';
import { describeBrief } from '../../nodes/balancer/brief.ts';
import { stateTextOf } from '../../server/progress/page/texts.ts';
import { modelLines } from './models.ts';
import { nextSteps } from './next-steps.ts';
import type { Report } from './report.ts';

interface ReportLook {
  /** Adds the durations of the stages and the resources that the run used. */
  readonly timings?: boolean | undefined;
  /** Wraps warnings and next steps; undefined: the text is for a file. */
  readonly columns?: number | undefined;
}

/** Renders the report as text. The next steps are last, where a terminal shows them. */
export function renderReport(
  report: Report,
  { timings = false, columns = Number.POSITIVE_INFINITY }: ReportLook = {},
): string {
  const wrapped = (lines: readonly string[]) => lines.flatMap((line) => wrap(line, columns - 2));
  const { product, release, arch, at, language } = report;
  const say = (en: string, zh: string) => inLanguage({ en, zh }, language);
  const sections: [Text, readonly string[]][] = [
    [titles.urls, report.urls.map(({ part, url }) => `${url}  (${part})`)],
    [
      titles.login,
      [
        report.ssh.command,
        ...report.ssh.fingerprints.map((line) => `${say('host key', '主机密钥')} ${line}`),
      ],
    ],
    [
      titles.tunnels,
      report.tunnels.flatMap(({ part, command, url }) => [
        say(
          `${part}: ${url}, while this command runs on your computer:`,
          `${part}：${url}，在您的电脑上运行下面的命令时可用：`,
        ),
        `  ${command}`,
      ]),
    ],
    [titles.records, recordLines(report)],
    [titles.certificate, describeCertificate(report)],
    [titles.addresses, addressLines(report)],
    [titles.models, modelLines(report)],
    [titles.engines, report.engines.map((each) => describeBrief(each, language))],
    [titles.addNode, report.addNode === null ? [] : [report.addNode]],
    [titles.stages, timings ? stageLines(report) : []],
    [titles.firewall, report.firewall],
    [titles.warnings, wrapped(report.warnings.map(({ text }) => text))],
    [titles.nextSteps, wrapped(nextSteps(report))],
  ];
  const body = sections
    .filter(([, lines]) => lines.length > 0)
    .map(
      ([title, lines]) =>
        `${title[language]}\n${lines.map((line) => `  ${line}`.trimEnd()).join('\n')}\n`,
    );
  return [`${product} ${release} (${arch}), ${formatTime(new Date(at))}\n`, ...body].join('\n');
}

function describeCertificate({ certificate, language }: Report): string[] {
  if (!certificate) return [];
  const { names, issuer, until, sha256 } = certificate;
  const day = until.slice(0, 10);
  const text = {
    en: `${names}, valid until ${day}, issued by ${issuer}`,
    zh: `${names}，有效期至 ${day}，颁发者：${issuer}`,
  };
  return [inLanguage(text, language), `SHA-256 ${sha256}`];
}

function recordLines({ records, addresses, language }: Report): string[] {
  const lines = records.map(({ name, type, value }) => `${name}.  ${type}  ${value}`);
  if (lines.length === 0) return lines;
  if (addresses.tunnel !== undefined) return [...lines, inLanguage(inTunnel, language)];
  if (addresses.public !== null) return lines;
  const advice = {
    en: 'Use the public address that the console of your provider shows.',
    zh: '请使用云服务商控制台显示的公网地址。',
  };
  return [...lines, inLanguage(advice, language)];
}

const inTunnel = {
  en: 'Some routers hide such private addresses. Then set the names in the hosts file of each device.',
  zh: '有些路由器会屏蔽这类内网地址；这时请在每台设备的 hosts 文件中设置域名。',
};

function addressLines({
  addresses: { v4, v6, public: known, tunnel },
  language,
}: Report): string[] {
  const say = (en: string, zh: string) => inLanguage({ en, zh }, language);
  const lines = [...v4, ...v6].map((address) =>
    address === known ? `${address}  ${say('(public)', '（公网）')}` : address,
  );
  if (known === null) {
    lines.push(
      say(
        'None of these is public. The console of your provider shows the public address.',
        '以上都不是公网地址；云服务商的控制台会显示公网地址。',
      ),
    );
  } else if (!v4.includes(known) && !v6.includes(known)) {
    lines.push(
      `${known}  ${say('(public, from the metadata of your provider)', '（公网，来自云服务商的元数据）')}`,
    );
  }
  if (tunnel !== undefined) {
    lines.push(
      `${tunnel}  ${say('(in the tunnel, for the devices of landfall access)', '（隧道内，供 landfall access 的设备访问）')}`,
    );
  }
  return lines;
}

function stageLines({ stages, took, own, cpu, peakMemory, language }: Report): string[] {
  const say = (en: string, zh: string) => inLanguage({ en, zh }, language);
  const ourTime = say('own code', '自身代码');
  const rows = alignRows(
    stages.map(({ name, outcome, took: inAll, own: ours }) => [
      name,
      inLanguage(stateTextOf(name, outcome), language),
      formatDuration(inAll),
      `${ourTime} ${formatDuration(ours)}`,
    ]),
    [{}, {}, { align: 'right' }],
  );
  const sum = `${say('total', '总计')} ${formatDuration(took)}, ${ourTime} ${formatDuration(own)}`;
  const usage = `${say('peak memory', '内存峰值')} ${formatBytes(peakMemory)}, ${say('CPU time', 'CPU 时间')} ${formatDuration(cpu)}`;
  return [...rows, sum, usage];
}

const titles = {
  urls: { en: 'URLs', zh: '地址' },
  login: { en: 'Log in', zh: '登录' },
  tunnels: { en: 'Through an SSH tunnel only', zh: '只能通过 SSH 隧道访问' },
  records: { en: 'DNS records', zh: 'DNS 记录' },
  certificate: { en: 'Certificate', zh: '证书' },
  addresses: { en: 'Addresses', zh: 'IP 地址' },
  models: { en: 'Models', zh: '模型' },
  engines: { en: 'Inference servers', zh: '推理服务器' },
  addNode: { en: 'Run this on the first server', zh: '在第一台服务器上运行' },
  stages: { en: 'Stages', zh: '阶段' },
  firewall: { en: 'Firewall (ufw status verbose)', zh: '防火墙（ufw status verbose）' },
  warnings: { en: 'Warnings', zh: '警告' },
  nextSteps: { en: 'Next steps', zh: '后续步骤' },
};
