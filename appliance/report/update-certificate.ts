import { plainLine } from '#contract/text/plain-line.ts';
import type { Context } from '../stage/stage.ts';
import type { Warning } from '../stage/warning.ts';
import { certificate } from './fingerprints.ts';
import { updateReport } from './update-report.ts';

/**
 * Updates the certificate and its warnings in the report. The DNS records are often created after the
 * server, so a timer gets the certificate after the first boot.
 * @param open current warnings about the certificate
 */
export async function updateCertificate(
  { host, site }: Pick<Context, 'host' | 'site'>,
  open: readonly Warning[],
): Promise<void> {
  const now = open.map((warning) => ({ ...warning, text: plainLine(warning.text, 500) }));
  await updateReport(host, { certificate: await certificate(host, site) }, (before) => [
    ...before.filter(({ kind }) => kind !== 'certificate'),
    ...now,
  ]);
}
