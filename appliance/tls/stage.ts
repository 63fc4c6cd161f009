import { LandfallError } from '#contract/errors.ts';
import { formatProblem } from '#contract/text/problem.ts';
import { sitePairPath } from '../certificates/gateway-pairs.ts';
import { judgePair } from '../certificates/pair.ts';
import { readPair } from '../certificates/pair-folder.ts';
import type { Context, Stage } from '../stage/stage.ts';
import type { Warning } from '../stage/warning.ts';
import { certificateTodo } from './certificate-todo.ts';
import { ensureCertificate } from './ensure-certificate.ts';

/**
 * Installs the certificate of the site instead of the self-signed one. Never fails a first boot for a
 * missing certificate, because DNS records are often created later: it warns, and a timer retries
 * (SPEC 3.4).
 */
export const tlsStage: Stage = {
  name: 'tls',
  title: 'tls: certificate',
  check: certificateTodo,
  apply,
  prove,
};

async function apply(context: Context): Promise<void> {
  if (context.site.tls.mode === 'off') return;
  const { open } = await ensureCertificate(context);
  for (const warning of open.flatMap(certificateWarnings)) context.report.warn(warning);
}

/** Formats an error as separate lines. The timer retries every missing certificate. */
export function linesOf({ message, hint, problems }: LandfallError): string[] {
  const [first = '', ...rest] = [{ message, hint }, ...problems].map((each) => formatProblem(each));
  return [`${first}; it is requested again automatically`, ...rest];
}

/** Returns the warnings for a missing certificate, for the report and the status. */
export function certificateWarnings(error: LandfallError): Warning[] {
  return linesOf(error).map((line) => ({
    kind: 'certificate',
    subject: error.code,
    text: `certificate: ${line}`,
  }));
}

/** Checks that the gateway has a valid pair. Whether browsers trust it depends on the mode. */
async function prove({ host, site }: Context): Promise<void> {
  if (site.tls.mode === 'off') return;
  const pair = await readPair(host, sitePairPath);
  const problems = pair
    ? judgePair(pair, [], new Date())
    : [{ message: 'no certificate is installed' }];
  if (problems.length === 0) return;
  throw new LandfallError('TLS_MATERIAL', 'the gateway has no valid certificate', {
    retriable: true,
    problems,
  });
}
