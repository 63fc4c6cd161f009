import { plainLine } from '#contract/text/plain-line.ts';
import { certificateWarning, isCertificateWarning } from '../host/certificate-warning.ts';
import type { Context } from '../stage/stage.ts';
import { certificate } from './fingerprints.ts';
import { updateReport } from './update-report.ts';

/**
 * Writes down which certificate browsers meet now, and what is still missing of the one that the site
 * asks for. DNS often comes later than the server, so a timer gets it after the first boot.
 * @param open what is missing, one line each
 */
export async function updateCertificate(
  { host, site }: Pick<Context, 'host' | 'site'>,
  open: readonly string[],
): Promise<void> {
  const now = open.map((line) => plainLine(certificateWarning(line), 500));
  await updateReport(host, { certificate: await certificate(host, site) }, (before) => [
    ...before.filter((warning) => !isCertificateWarning(warning)),
    ...now,
  ]);
}
