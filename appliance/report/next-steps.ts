import { pullCommand } from './models.ts';
import type { Report } from './report.ts';

/** Returns the first steps after the setup of a server. */
export function nextSteps(report: Report): string[] {
  const { urls } = report;
  return [
    'sudo landfall credentials      shows the generated passwords',
    ...(needsRecords(report) ? ['create the DNS records above unless they exist'] : []),
    ...(urls[0] ? [`open ${urls[0].url}`] : []),
    ...signInStep(report),
    ...(browsersWarn(report)
      ? ['the browser warns about the certificate: compare its SHA-256 with the one above']
      : []),
    ...missingModels(report).map((name) => `${pullCommand(name)}  downloads a missing model`),
    'landfall status                shows the state of the server',
  ];
}

/** Returns the open steps for the login message. A step disappears once it is done. */
export function openSteps(report: Report): string[] {
  const { warnings } = report;
  const count = warnings.length === 1 ? '1 warning' : `${warnings.length} warnings`;
  return [
    ...(needsRecords(report)
      ? ['create the DNS records that landfall report shows, unless they exist']
      : []),
    ...missingModels(report).map((name) => `download a model: ${pullCommand(name)}`),
    ...(browsersWarn(report) ? ['browsers warn about the certificate: landfall report'] : []),
    ...(warnings.length > 0 ? [`read ${count}: landfall report`] : []),
  ];
}

/** Reports of older releases do not have the address. */
function signInStep({ chatSignIn }: Report): string[] {
  return chatSignIn === null ? [] : [`sign in to the chat UI as ${chatSignIn}`];
}

/** An ACME certificate proves that the DNS records exist. */
function needsRecords({ records, certificate }: Report): boolean {
  return records.length > 0 && certificate?.acme !== true;
}

/** Browsers warn about a certificate that is self-signed or from a private or staging authority. */
function browsersWarn({ certificate }: Report): boolean {
  return certificate !== null && !certificate.trusted;
}

function missingModels({ models }: Report): string[] {
  return models.filter(({ present }) => !present).map(({ name }) => name);
}
