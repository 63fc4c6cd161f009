import { Command, Option } from 'commander';
import { inLanguage } from '#contract/text/language.ts';
import { takeChangeLock, waitForRunLock } from '../server/host/lock/run-lock.ts';
import { updateCertificate } from '../stages/report/fingerprints.ts';
import { ensureCertificate } from '../stages/tls/ensure-certificate.ts';
import { certificateWarnings, linesOf } from '../stages/tls/stage.ts';
import { describeTls, tlsStatus } from '../stages/tls/status.ts';
import {
  commandGroup,
  consoleReporter,
  exampleText,
  type JsonFlag,
  serverFacts,
} from './command.ts';

/** `landfall tls`: shows and renews the certificate of this server. */
export function tlsCommand() {
  const statusCommand = new Command('status')
    .description('show the certificate (default)')
    .option('--json', 'print its details as JSON')
    .action(status);
  return commandGroup('tls', statusCommand, [
    new Command('renew')
      .description('renew the certificate if it is due')
      .option('--force', 'renew it now')
      .addOption(new Option('--scheduled', 'used by the timer').hideHelp())
      .action(({ force, scheduled }) => renew(force, scheduled)),
  ])
    .description('show and renew the certificate')
    .addHelpText('after', exampleText('sudo landfall tls renew --force'));
}

async function status({ json }: JsonFlag): Promise<void> {
  const found = await tlsStatus(await serverFacts());
  console.log(json ? JSON.stringify(found, null, 2) : describeTls(found));
}

const texts = {
  off: { en: 'TLS is off for this site.', zh: '这个站点没有启用 TLS。' },
  later: {
    en: 'Another command changes this server; the next run renews.',
    zh: '另一条命令正在更改这台服务器；下一次运行时续期。',
  },
  changed: { en: 'The gateway serves a new certificate.', zh: '网关已使用新证书。' },
  valid: { en: 'The certificate is valid.', zh: '证书有效。' },
};

/** Milliseconds for which a timer waits for another command. */
const lockTimeout = 120_000;

/**
 * Renews the certificate if it is due. With --scheduled, waits for the back-off time of earlier
 * failures, and a missing DNS record is not a failure.
 */
async function renew(force = false, scheduled = false): Promise<void> {
  const facts = await serverFacts();
  const context = { ...facts, report: consoleReporter };
  if (context.site.tls.mode === 'off') return console.log(inLanguage(texts.off));
  // An update or a change of the site replaces the configuration of the gateway, too.
  const lock = scheduled
    ? await waitForRunLock(context.host, 'changes', lockTimeout)
    : await takeChangeLock(context.host, console.log);
  if (!lock) return console.log(inLanguage(texts.later));
  const { changed, open } = await ensureCertificate(context, { force, patient: scheduled });
  await updateCertificate(context, open.flatMap(certificateWarnings));
  await lock.release();
  if (changed) console.log(inLanguage(texts.changed));
  const [first, ...rest] = open;
  if (!first) return changed ? undefined : console.log(inLanguage(texts.valid));
  for (const line of rest.flatMap(linesOf)) console.log(inLanguage(line));
  if (!scheduled) throw first;
  for (const line of linesOf(first)) console.log(inLanguage(line));
}
