import { LandfallError } from '#contract/errors.ts';
import type { Finding, Fix, FixTools } from './finding.ts';

/** What happened to a fix. */
export interface FixResult {
  readonly does: string;
  readonly outcome: 'applied' | 'declined' | 'failed';
  readonly error?: LandfallError;
}

/** Returns the fixes of findings, each once, the most urgent first. */
export function fixesOf(findings: readonly Finding[]): Fix[] {
  const fixes = findings.flatMap(({ fix }) => (fix ? [fix] : []));
  return [...new Map(fixes.map((fix) => [fix.does, fix])).values()];
}

/**
 * Applies fixes in order. A failed fix does not stop the others.
 * @param accept asks whether to apply a fix
 */
export async function applyFixes(
  fixes: readonly Fix[],
  tools: FixTools,
  accept: (fix: Fix) => Promise<boolean>,
): Promise<FixResult[]> {
  const results: FixResult[] = [];
  for (const fix of fixes) {
    const { does } = fix;
    if (!(await accept(fix))) {
      results.push({ does, outcome: 'declined' });
      continue;
    }
    try {
      await fix.apply(tools);
      results.push({ does, outcome: 'applied' });
    } catch (error) {
      if (!(error instanceof LandfallError)) throw error;
      results.push({ does, outcome: 'failed', error });
    }
  }
  return results;
}
