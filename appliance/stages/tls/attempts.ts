import { z } from 'zod';
import type { ErrorCode, LandfallError } from '#contract/errors.ts';
import type { Host } from '../../server/host/host.ts';
import { StateFile } from '../../server/host/state-file.ts';

const schema = z.object({
  /** Consecutive failures with the same code. */
  failures: z.int().positive(),
  at: z.iso.datetime(),
  notBefore: z.iso.datetime(),
  code: z.enum([
    'TLS_NAME',
    'TLS_MATERIAL',
    'ACME_CHALLENGE',
    'ACME_RATE_LIMIT',
    'ACME_REFUSED',
    'ACME_UNREACHABLE',
  ]),
  message: z.string(),
  hint: z.string().optional(),
  problems: z.array(z.object({ message: z.string(), hint: z.string().optional() })),
});
export type Attempts = z.infer<typeof schema>;

/** Result of the last failed attempts; absent when the certificate is complete. */
export const storedAttempts = new StateFile('var/lib/landfall/tls-attempts.json', schema);

/** Stores a failure and the earliest time of the next attempt. */
export async function recordFailure(
  host: Host,
  error: LandfallError,
  { now, retryAt }: { readonly now: Date; readonly retryAt?: Date | undefined },
): Promise<void> {
  const before = await storedAttempts.read(host);
  // Other codes, such as that of a missing tool, count as ACME_REFUSED.
  const code = schema.shape.code.catch('ACME_REFUSED').parse(error.code);
  const failures = before?.code === code ? before.failures + 1 : 1;
  const earliest = now.getTime() + retryDelay(code, failures);
  const attempts: Attempts = {
    failures,
    at: now.toISOString(),
    notBefore: new Date(Math.max(earliest, retryAt?.getTime() ?? 0)).toISOString(),
    code,
    message: error.message,
    ...(error.hint === undefined ? {} : { hint: error.hint }),
    problems: error.problems.map(({ message, hint }) => ({ message, hint })),
  };
  await storedAttempts.write(host, attempts);
}

const minute = 60_000;

/**
 * Returns the delay after the nth consecutive failure, in milliseconds. DNS lookups are not
 * rate-limited, so they are repeated every 2 minutes, and less often after an hour and after a day.
 * An authority allows 5 failed verifications per name and hour.
 */
export function retryDelay(code: ErrorCode, failures: number): number {
  if (code === 'TLS_NAME' || code === 'TLS_MATERIAL') {
    if (failures <= 30) return 2 * minute;
    return failures <= 30 + 138 ? 10 * minute : 60 * minute;
  }
  const first = code === 'ACME_UNREACHABLE' ? 2 : code === 'ACME_RATE_LIMIT' ? 60 : 15;
  return Math.min(first * 2 ** (failures - 1), 6 * 60) * minute;
}
