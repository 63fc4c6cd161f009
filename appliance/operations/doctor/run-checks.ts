import { setTimeout as sleep } from 'node:timers/promises';
import { LandfallError } from '#contract/errors.ts';
import { formatDuration } from '#contract/text/amount.ts';
import { messageOf } from '#contract/text/chinese-errors.ts';
import type { Text } from '#contract/text/language.ts';
import { translated } from '#contract/text/translated.ts';
import type { Host } from '../../server/host/host.ts';
import { silentReporter } from '../../server/stage/reporter.ts';
import type { Context } from '../../server/stage/stage.ts';
import { findingCodes } from './codes.ts';
import { type Check, detailsOf, type Finding } from './finding.ts';

/** What checks look at. */
interface Subject {
  readonly host: Host;
  readonly isRoot: boolean;
  /** Undefined if the site is unreadable. */
  readonly context: Context | undefined;
}

export interface CheckResult {
  readonly name: string;
  readonly findings: readonly Finding[];
  /** Why the check did not run. */
  readonly skipped?: Text;
}

/**
 * Runs all checks concurrently and returns one result per check, in their order. A check that hangs
 * or fails becomes a finding.
 * @param seconds time limit
 * @param onEnd called when a check ends
 */
export async function runChecks(
  checks: readonly Check[],
  subject: Subject,
  seconds: number,
  onEnd: (name: string) => void = () => {},
): Promise<CheckResult[]> {
  const over = new AbortController();
  // Keeps the process alive, because a check that hangs may not.
  const late = sleep(seconds * 1000, undefined, { signal: over.signal }).catch(() => {});
  try {
    return await Promise.all(
      checks.map(async (check) => {
        const timedOut = late.then((): CheckResult => tooLate(check, seconds));
        const result = await Promise.race([runOne(check, subject), timedOut]);
        onEnd(check.name);
        return result;
      }),
    );
  } finally {
    over.abort();
  }
}

async function runOne(check: Check, subject: Subject): Promise<CheckResult> {
  const { name } = check;
  const skipped = whySkipped(check, subject);
  if (skipped !== undefined) return { name, findings: [], skipped };
  try {
    if (check.needs === 'server') return { name, findings: await check.run(subject.host) };
    return { name, findings: subject.context ? await check.run(subject.context) : [] };
  } catch (error) {
    return { name, findings: [failed(check, error)] };
  }
}

function whySkipped({ root, needs }: Check, { isRoot, context }: Subject): Text | undefined {
  if (root && !isRoot) return { en: 'must be run as root', zh: '需要 root 权限' };
  const unreadable = { en: 'the site is unreadable', zh: '站点配置无法读取' };
  return needs === 'site' && !context ? unreadable : undefined;
}

function failed({ name }: Check, error: unknown): Finding {
  const reason = error instanceof Error ? error.message : String(error);
  return {
    code: 'CHECK_FAILED',
    subject: name,
    text: {
      en: `the check ${name} failed: ${reason}`,
      zh: `检查 ${name} 失败：${translated(reason)}`,
    },
    details: error instanceof LandfallError ? detailsOf(error) : [],
  };
}

function tooLate({ name }: Check, seconds: number): CheckResult {
  const limit = formatDuration(seconds * 1000);
  const text = {
    en: `the check ${name} did not end within ${limit}`,
    zh: `检查 ${name} 没有在 ${limit} 内结束`,
  };
  return { name, findings: [{ code: 'CHECK_TIMED_OUT', subject: name, text }] };
}

/** Returns the findings of all checks, most urgent first. */
export function findingsOf(results: readonly CheckResult[]): Finding[] {
  const rank = ({ code }: Finding) => findingCodes.indexOf(code);
  return results
    .flatMap(({ findings }) => findings)
    .toSorted((one, other) => rank(one) - rank(other));
}

/** What a doctor knows about the server, or why it knows less. */
interface Known {
  readonly context?: Context;
  readonly finding?: Finding;
}

/**
 * Reads the site and the release. An invalid site is a finding; an unreadable one is not, because
 * only root may read it.
 * @param load throws LandfallError STATE_INVALID for an invalid site
 */
export async function readSubject(load: () => Promise<Omit<Context, 'report'>>): Promise<Known> {
  try {
    return { context: { ...(await load()), report: silentReporter } };
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'EACCES') return {};
    if (!(error instanceof LandfallError) || error.code === 'USAGE') throw error;
    const { problems } = error;
    const details = detailsOf({ problems });
    return { finding: { code: 'SITE_INVALID', subject: 'site', text: messageOf(error), details } };
  }
}
