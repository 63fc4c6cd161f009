import { formatDuration } from '#contract/text/duration.ts';
import { formatBytes } from '#contract/text/format-bytes.ts';
import type { Text } from '#contract/text/language.ts';
import { alignRows } from '#contract/text/table.ts';
import { formatTime } from '#contract/text/time-zone.ts';
import { stateWords } from '../progress/console.ts';
import { modelLines } from './models.ts';
import { nextSteps } from './next-steps.ts';
import type { Report } from './report.ts';

/** Presentation of a report. */
interface ReportLook {
  /** Adds the durations of the stages and the resources that the run used. */
  readonly timings?: boolean | undefined;
}

/** Renders the report as text. The next steps are last, where a terminal shows them. */
export function renderReport(report: Report, { timings = false }: ReportLook = {}): string {
  const { product, release, arch, at, language } = report;
  const sections: [Text, readonly string[]][] = [
    [titles.urls, report.urls.map(({ part, url }) => `${url}  (${part})`)],
    [
      titles.login,
      [report.ssh.command, ...report.ssh.fingerprints.map((line) => `host key ${line}`)],
    ],
    [
      titles.tunnels,
      report.tunnels.flatMap(({ part, command, url }) => [
        `${part}: ${url}, while this command runs on your computer:`,
        `  ${command}`,
      ]),
    ],
    [titles.records, recordLines(report)],
    [titles.certificate, describeCertificate(report)],
    [titles.addresses, addressLines(report)],
    [titles.models, modelLines(report)],
    [titles.stages, timings ? stageLines(report) : []],
    [titles.firewall, report.firewall],
    [titles.warnings, report.warnings.map(({ text }) => text)],
    [titles.nextSteps, nextSteps(report)],
  ];
  const body = sections
    .filter(([, lines]) => lines.length > 0)
    .map(
      ([title, lines]) =>
        `${title[language]}\n${lines.map((line) => `  ${line}`.trimEnd()).join('\n')}\n`,
    );
  return [`${product} ${release} (${arch}), ${formatTime(new Date(at))}\n`, ...body].join('\n');
}

function describeCertificate({ certificate }: Report): string[] {
  if (!certificate) return [];
  const { names, issuer, until, sha256 } = certificate;
  return [`${names}, valid until ${until.slice(0, 10)}, issued by ${issuer}`, `SHA-256 ${sha256}`];
}

function recordLines({ records, addresses }: Report): string[] {
  const lines = records.map(({ name, type, value }) => `${name}.  ${type}  ${value}`);
  if (lines.length === 0 || addresses.public !== null) return lines;
  return [...lines, 'Use the public address that the console of your provider shows.'];
}

function addressLines({ addresses: { v4, v6, public: known } }: Report): string[] {
  const lines = [...v4, ...v6].map((address) =>
    address === known ? `${address}  (public)` : address,
  );
  if (known === null) {
    lines.push('None of these is public. The console of your provider shows the public address.');
  } else if (!v4.includes(known) && !v6.includes(known)) {
    lines.push(`${known}  (public, from the metadata of your provider)`);
  }
  return lines;
}

function stageLines({ stages, took, own, cpu, peakMemory }: Report): string[] {
  const rows = alignRows(
    stages.map(({ name, outcome, took: inAll, own: ours }) => [
      name,
      stateWords[outcome],
      formatDuration(inAll),
      `own code ${formatDuration(ours)}`,
    ]),
    [{}, {}, { align: 'right' }],
  );
  const sum = `total ${formatDuration(took)}, own code ${formatDuration(own)}`;
  const usage = `peak memory ${formatBytes(peakMemory)}, CPU time ${formatDuration(cpu)}`;
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
  stages: { en: 'Stages', zh: '阶段' },
  firewall: { en: 'Firewall (ufw status verbose)', zh: '防火墙（ufw status verbose）' },
  warnings: { en: 'Warnings', zh: '警告' },
  nextSteps: { en: 'Next steps', zh: '后续步骤' },
};
