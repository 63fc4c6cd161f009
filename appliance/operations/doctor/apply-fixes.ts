import { LandfallError } from '#contract/errors.ts';
import type { Text } from '#contract/text/language.ts';
import type { Diagnosis } from './diagnosis.ts';
import type { Finding, Fix, FixTools } from './finding.ts';

/** What happened to a fix. */
export interface FixResult {
  readonly does: Text;
  /** `ineffective`: it ran without an error, but a finding that it should fix is still there. */
  readonly outcome: 'applied' | 'ineffective' | 'declined' | 'failed';
  readonly error?: LandfallError;
  /** The findings that are still there. */
  readonly remaining?: readonly Finding[];
}

interface FixedServer {
  readonly results: readonly FixResult[];
  /** The diagnosis after the last fix. */
  readonly after: Diagnosis;
}

/**
 * Applies the fixes of causes and examines the server again, until no new fix is offered. A possible
 * consequence is not fixed before its cause: its stage could record the wrong state.
 * @param accept asks whether to apply a fix
 */
export async function fixCauses(
  before: Diagnosis,
  examine: () => Promise<Diagnosis>,
  tools: FixTools,
  accept: (fix: Fix) => Promise<boolean>,
): Promise<FixedServer> {
  const results: FixResult[] = [];
  let after = before;
  for (;;) {
    const fixes = fixesOf(after).filter(
      ({ does }) => !results.some((each) => each.does.en === does.en),
    );
    if (fixes.length === 0) {
      const { findings } = after;
      return { results: results.map((result) => withRemaining(result, findings)), after };
    }
    for (const fix of fixes) results.push(await applyFix(fix, tools, accept));
    after = await examine();
  }
}

/** Marks a fix as ineffective if the last diagnosis still offers it. */
function withRemaining(result: FixResult, findings: readonly Finding[]): FixResult {
  const remaining = findings.filter(({ fix }) => fix?.does.en === result.does.en);
  if (result.outcome !== 'applied' || remaining.length === 0) return result;
  return { ...result, outcome: 'ineffective', remaining };
}

/** Returns the fixes of causes, each once, the most urgent first. */
function fixesOf({ findings }: Diagnosis): Fix[] {
  const causes = findings.filter(({ follows }) => follows === undefined);
  const fixes = causes.flatMap(({ fix }) => (fix ? [fix] : []));
  return [...new Map(fixes.map((fix) => [fix.does.en, fix])).values()];
}

/** A failed fix does not stop the others. */
async function applyFix(
  fix: Fix,
  tools: FixTools,
  accept: (fix: Fix) => Promise<boolean>,
): Promise<FixResult> {
  const { does } = fix;
  if (!(await accept(fix))) return { does, outcome: 'declined' };
  try {
    await fix.apply(tools);
    return { does, outcome: 'applied' };
  } catch (error) {
    if (!(error instanceof LandfallError)) throw error;
    return { does, outcome: 'failed', error };
  }
}
