import { LandfallError } from '#contract/errors.ts';
import { formatProblem } from '#contract/text/problem.ts';
import { sitePlace } from '../certificates/gateway-pairs.ts';
import { judgePair } from '../certificates/pair.ts';
import { readPair } from '../certificates/pair-folder.ts';
import type { Context, Stage } from '../stage/stage.ts';
import type { Warning } from '../stage/warning.ts';
import { certificateTodo } from './certificate-todo.ts';
import { ensureCertificate } from './ensure-certificate.ts';

/**
 * The certificate that the site asks for, in place of the self-signed one. It never holds up a
 * first boot: DNS often comes later than the server, so what is missing becomes a warning, and a
 * timer goes on trying (SPEC 3.4).
 */
export const tlsStage: Stage = {
  name: 'tls',
  title: 'tls: the certificate for browsers',
  check: certificateTodo,
  apply,
  prove,
};

async function apply(context: Context): Promise<void> {
  if (context.site.tls.mode === 'off') return;
  const { open } = await ensureCertificate(context);
  for (const warning of open.flatMap(certificateWarnings)) context.report.warn(warning);
}

/** Formats an error as lines of their own. A timer requests every certificate that is missing. */
export function linesOf({ message, hint, problems }: LandfallError): string[] {
  const [first = '', ...rest] = [{ message, hint }, ...problems].map((each) => formatProblem(each));
  return [`${first}; it is requested again automatically`, ...rest];
}

/** Returns what to warn of where a certificate is missing, for the report and the status. */
export function certificateWarnings(error: LandfallError): Warning[] {
  return linesOf(error).map((line) => ({
    kind: 'certificate',
    subject: error.code,
    text: `certificate: ${line}`,
  }));
}

/** The gateway has a pair that it can serve; whether browsers trust it is the mode's matter. */
async function prove({ host, site }: Context): Promise<void> {
  if (site.tls.mode === 'off') return;
  const pair = await readPair(host, sitePlace);
  const problems = pair ? judgePair(pair, [], new Date()) : [{ message: 'there is none' }];
  if (problems.length === 0) return;
  throw new LandfallError('TLS_MATERIAL', 'the gateway has no certificate that it can use', {
    retriable: true,
    problems,
  });
}
