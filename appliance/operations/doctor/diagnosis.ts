import type { Text } from '#contract/text/language.ts';
import { causesOf, type FindingCode, remedyFor } from './codes.ts';
import type { Finding } from './finding.ts';
import { type CheckResult, findingsOf } from './run-checks.ts';

/** A finding with its remedy. */
interface Diagnosed extends Finding {
  readonly remedy: string;
  /** The code of the finding that may explain this one. */
  readonly follows?: FindingCode;
}

/** The result of all checks. */
export interface Diagnosis {
  /** The number of checks that ran. */
  readonly checks: number;
  /** Most urgent first. */
  readonly findings: readonly Diagnosed[];
  /** The checks that did not run, by reason. */
  readonly skipped: ReadonlyArray<{ readonly name: string; readonly reason: Text }>;
}

/** Adds the remedies, and which findings may be consequences of others. */
export function diagnose(results: readonly CheckResult[], more: readonly Finding[]): Diagnosis {
  const findings = [...more, ...findingsOf(results)];
  return {
    checks: results.filter(({ skipped }) => skipped === undefined).length,
    findings: findings.map((finding) => ({
      ...finding,
      remedy: remedyFor(finding.code, finding.subject),
      ...causeOf(finding, findings),
    })),
    skipped: results.flatMap(({ name, skipped: reason }) => (reason ? [{ name, reason }] : [])),
  };
}

function causeOf({ code, subject }: Finding, all: readonly Finding[]): { follows?: FindingCode } {
  const [cause] = causesOf(code, subject).flatMap(
    (each) => all.find((other) => other.code === each) ?? [],
  );
  return cause ? { follows: cause.code } : {};
}

/** Returns the diagnosis as one object for programs. */
export function diagnosisToJson({ checks, findings, skipped }: Diagnosis): object {
  return {
    checks,
    findings: findings.map(({ fix, text, details = [], follows = null, ...rest }) => ({
      ...rest,
      text: text.en,
      details,
      follows,
      fix: fix?.does.en ?? null,
    })),
    skipped: skipped.map(({ name, reason }) => ({ name, reason: reason.en })),
  };
}
