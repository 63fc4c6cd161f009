import { plainLine } from '#contract/text/plain-line.ts';
import type { Context } from '../stage/stage.ts';
import type { Warning } from '../stage/warning.ts';
import { certificate } from './fingerprints.ts';
import { updateReport } from './update-report.ts';

/**
 * Writes down which certificate browsers meet now, and what is still missing of the one that the site
 * asks for. DNS often comes later than the server, so a timer gets it after the first boot.
 * @param open what is missing
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
