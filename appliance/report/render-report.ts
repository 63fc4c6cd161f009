import { formatDuration } from '#contract/text/duration.ts';
import { formatBytes } from '#contract/text/format-bytes.ts';
import { alignRows } from '#contract/text/table.ts';
import { modelLines } from './models.ts';
import { nextSteps } from './next-steps.ts';
import type { Report } from './report.ts';

/** The report as one page of text, what matters most first. */
export function renderReport(report: Report): string {
  const { product, release, arch, at } = report;
  const sections: [string, readonly string[]][] = [
    ['What to do next', nextSteps(report)],
    ['Where it is', report.urls.map(({ part, url }) => `${url}  (${part})`)],
    ['Log in', [report.ssh.command, ...report.ssh.fingerprints.map((line) => `host key ${line}`)]],
    [
      'Through a tunnel only',
      report.tunnels.flatMap(({ part, command, url }) => [
        `${part}: ${url}, while this runs on your computer:`,
        `  ${command}`,
      ]),
    ],
    ['DNS entries', recordLines(report)],
    ['Certificate', describeCertificate(report)],
    ['Addresses', addressLines(report)],
    ['Models', modelLines(report)],
    ['Warnings', report.warnings.map(({ text }) => text)],
    ['What was done', stageLines(report)],
    ['Firewall (ufw status verbose)', report.firewall],
  ];
  const body = sections
    .filter(([, lines]) => lines.length > 0)
    .map(
      ([title, lines]) => `${title}\n${lines.map((line) => `  ${line}`.trimEnd()).join('\n')}\n`,
    );
  return [`${product} ${release} (${arch}), ${at}\n`, ...body].join('\n');
}

function describeCertificate({ certificate }: Report): string[] {
  if (!certificate) return [];
  const { names, issuer, until, sha256 } = certificate;
  return [`${names}, until ${until.slice(0, 10)}, issued by ${issuer}`, `SHA-256 ${sha256}`];
}

function recordLines({ records, addresses }: Report): string[] {
  const lines = records.map(({ name, type, value }) => `${name}.  ${type}  ${value}`);
  if (lines.length === 0 || addresses.public !== null) return lines;
  return [...lines, 'For the world, take the address that the console of your provider shows.'];
}

function addressLines({ addresses: { v4, v6, public: known } }: Report): string[] {
  const lines = [...v4, ...v6].map((address) =>
    address === known ? `${address}  (public)` : address,
  );
  if (known === null) {
    lines.push('None of them is public. The console of your provider shows the one that is.');
  } else if (!v4.includes(known) && !v6.includes(known)) {
    lines.push(`${known}  (public, as your provider says)`);
  }
  return lines;
}

function stageLines({ stages, took, own, cpu, peakMemory }: Report): string[] {
  const rows = alignRows(
    stages.map(({ name, outcome, took: inAll, own: ours }) => [
      name,
      outcome === 'applied' ? 'done' : 'in order',
      formatDuration(inAll),
      `of it in its own code ${formatDuration(ours)}`,
    ]),
    [{}, {}, { align: 'right' }],
  );
  const sum = `${formatDuration(took)} in all, of it ${formatDuration(own)} in its own code`;
  const needs = `${formatBytes(peakMemory)} of memory and ${formatDuration(cpu)} of processor time`;
  return [...rows, sum, `The program took at most ${needs}.`];
}
