import { z } from 'zod';
import { type ErrorCode, LandfallError } from '#contract/errors.ts';
import { readText, removeFile, writeText } from '../host/files.ts';
import type { Host } from '../host/host.ts';
import { retryDelay } from './retry-delay.ts';

/** What came of the last attempts, while something is missing. */
const attemptsFile = 'var/lib/landfall/tls-attempts.json';

const schema = z.object({
  /** In a row, by the same code. */
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
type Code = Attempts['code'];

/** What is missing since the last attempt, or nothing. A file that is damaged counts as none. */
export async function readAttempts(host: Host): Promise<Attempts | undefined> {
  try {
    return schema.parse(JSON.parse((await readText(host, attemptsFile)) ?? ''));
  } catch {
    return undefined;
  }
}

/** Keeps what failed, and when it may be tried again. */
export async function noteFailure(
  host: Host,
  error: LandfallError,
  { now, retryAt }: { readonly now: Date; readonly retryAt?: Date | undefined },
): Promise<void> {
  const before = await readAttempts(host);
  const code = kept(error.code);
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
  await writeText(host, attemptsFile, `${JSON.stringify(attempts, null, 2)}\n`);
}

/** Nothing is missing any more. */
export async function forgetFailures(host: Host): Promise<void> {
  await removeFile(host, attemptsFile);
}

/** The error that was kept, as it was. */
export function errorOf({ code, message, hint, problems }: Attempts): LandfallError {
  return new LandfallError(code, message, { hint, problems });
}

/** Codes that no authority gives, such as of a tool that is missing, count as a refusal. */
function kept(code: ErrorCode): Code {
  return schema.shape.code.safeParse(code).data ?? 'ACME_REFUSED';
}
