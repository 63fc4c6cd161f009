import { z } from 'zod';
import { LandfallError } from '#contract/errors.ts';
import { parseJson } from '#contract/text/json.ts';

const severities = ['Critical', 'High', 'Medium', 'Low', 'Negligible', 'Unknown'] as const;

/** An advisory for a package of an image. */
export interface Advisory {
  /** Such as CVE-2026-1234 or GHSA-…. */
  readonly id: string;
  readonly severity: (typeof severities)[number];
  readonly package: string;
}

/** The fields of `grype -o json` that are used. */
const reportSchema = z.object({
  matches: z.array(
    z.object({
      vulnerability: z.object({
        id: z.string().regex(/^[A-Za-z0-9][A-Za-z0-9:._-]{2,63}$/),
        severity: z.enum(severities).catch('Unknown'),
      }),
      artifact: z.object({ name: z.string().max(512) }),
    }),
  ),
});

/**
 * Parses the report of a scan; the most severe advisories come first.
 * @throws LandfallError COMMAND_FAILED when it is not a report of grype
 */
export function readReport(text: string): Advisory[] {
  const report = reportSchema.safeParse(parseJson(text));
  if (!report.success) {
    throw new LandfallError('COMMAND_FAILED', 'the scanner printed no report', {
      hint: 'Check that --grype names grype 0.100 or newer.',
      cause: report.error,
    });
  }
  const advisories = report.data.matches.map(({ vulnerability, artifact }) => ({
    ...vulnerability,
    package: artifact.name,
  }));
  const distinct = new Map(advisories.map((each) => [`${each.id} ${each.package}`, each]));
  return [...distinct.values()].sort((one, other) => rankOf(one) - rankOf(other));
}

function rankOf({ severity }: Advisory): number {
  return severities.indexOf(severity);
}
