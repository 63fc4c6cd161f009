import { LandfallError } from '#contract/errors.ts';
import { sitePlace } from '../certificates/gateway-pairs.ts';
import { judgePair } from '../certificates/pair.ts';
import { readPair } from '../certificates/pair-folder.ts';
import { certificateWarning } from '../host/certificate-warning.ts';
import type { Context, Stage } from '../stage/stage.ts';
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
  for (const error of open) {
    for (const line of linesOf(error)) context.report.warn(certificateWarning(line));
  }
}

/** An error as lines that stand by themselves: what happened, and what to do. */
export function linesOf({ message, hint, problems }: LandfallError): string[] {
  const first = [message, hint].filter((text) => text !== undefined).join('. ');
  return [first, ...problems.map((each) => [each.message, each.hint].filter(Boolean).join('. '))];
}

/** The gateway has a pair that it can serve; whether browsers trust it is the mode's matter. */
async function prove({ host, site }: Context): Promise<void> {
  if (site.tls.mode === 'off') return;
  const pair = await readPair(host, sitePlace);
  const problems = pair ? judgePair(pair, [], new Date()) : [{ message: 'there is none' }];
  if (problems.length === 0) return;
  throw new LandfallError('TLS_MATERIAL', 'the gateway has no certificate that it can use', {
    hint: 'It is tried again by itself.',
    problems,
  });
}
