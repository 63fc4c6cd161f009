import type { Facts } from '../load-facts.ts';
import { updateCertificate } from '../report/update-certificate.ts';
import { ensureCertificate } from '../tls/ensure-certificate.ts';
import { linesOf } from '../tls/stage.ts';
import { describeTls, tlsStatus } from '../tls/status.ts';
import type { Command } from './command.ts';
import { readFlags } from './read-flags.ts';
import { type Action, runAction } from './run-action.ts';

const actions: Readonly<Record<string, Action>> = { status, renew };

export const tlsCommand: Command = {
  summary: 'the certificate: what it is, and a new one where it is time',
  usage: 'status [--json] | renew [--force]',
  example: 'sudo landfall tls renew --force',
  root: true,
  run: (args) => runAction('tls', actions, 'status', args),
};

async function status(facts: Facts, args: readonly string[]): Promise<void> {
  const { json } = readFlags('tls status', args, ['json']);
  const found = await tlsStatus(facts);
  console.log(json ? JSON.stringify(found, null, 2) : describeTls(found));
}

/**
 * The timer's call keeps to the times that earlier failures set, and that a DNS record is not there
 * yet is no failure of its own.
 */
async function renew(facts: Facts, args: readonly string[]): Promise<void> {
  const { force, scheduled } = readFlags('tls renew', args, ['force', 'scheduled']);
  const report = { say: console.log, warn: console.log, progress: () => {} };
  const context = { ...facts, report };
  if (context.site.tls.mode === 'off') return console.log('The site has no TLS.');
  const { changed, open } = await ensureCertificate(context, { force, patient: scheduled });
  await updateCertificate(context, open.flatMap(linesOf));
  if (changed) console.log('The gateway serves a new certificate.');
  const [first, ...rest] = open;
  if (!first) return changed ? undefined : console.log('The certificate is good.');
  for (const line of rest.flatMap(linesOf)) console.log(line);
  if (!scheduled) throw first;
  for (const line of linesOf(first)) console.log(line);
}
