import { pullCommand } from './models.ts';
import type { Report } from './report.ts';

/** What a person does first on a server that has just come up. */
export function nextSteps(report: Report): string[] {
  const { urls } = report;
  return [
    'sudo landfall credentials      shows the passwords that were made here',
    ...(needsRecords(report) ? ['make the DNS entries below, unless they are there'] : []),
    ...(urls[0] ? [`open ${urls[0].url}`] : []),
    ...(browsersWarn(report)
      ? ['the browser warns of the certificate: compare its SHA-256 with the one below']
      : []),
    ...missingModels(report).map(
      (name) => `${pullCommand(name)}  goes on with a model that is missing`,
    ),
    'landfall status                says where the server stands',
  ];
}

/** What is still open, for who logs in; each is gone once it is done. */
export function openSteps(report: Report): string[] {
  const { warnings } = report;
  const count = warnings.length === 1 ? '1 warning' : `${warnings.length} warnings`;
  return [
    ...(needsRecords(report)
      ? ['make the DNS entries that landfall report shows, unless they are there']
      : []),
    ...missingModels(report).map((name) => `fetch a model: ${pullCommand(name)}`),
    ...(browsersWarn(report) ? ['browsers warn of the certificate: landfall report says why'] : []),
    ...(warnings.length > 0 ? [`read ${count}: landfall report`] : []),
  ];
}

/** An authority that gave a certificate has seen that the names lead here. */
function needsRecords({ records, certificate }: Report): boolean {
  return records.length > 0 && certificate?.acme !== true;
}

/** Of one that was made here, and of one by an authority that is private or for trials. */
function browsersWarn({ certificate }: Report): boolean {
  return certificate !== null && !certificate.trusted;
}

function missingModels({ models }: Report): string[] {
  return models.filter(({ present }) => !present).map(({ name }) => name);
}
