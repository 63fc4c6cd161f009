import { Command, Option } from 'commander';
import { updateCertificate } from '../report/update-certificate.ts';
import { ensureCertificate } from '../tls/ensure-certificate.ts';
import { certificateWarnings, linesOf } from '../tls/stage.ts';
import { describeTls, tlsStatus } from '../tls/status.ts';
import { commandGroup } from './command-group.ts';
import { consoleReporter } from './console-reporter.ts';
import type { JsonFlag } from './json-flag.ts';
import { serverFacts } from './server-facts.ts';

const example = `
Example:
  sudo landfall tls renew --force
`;

/** `landfall tls`: the certificate of this server. */
export function tlsCommand(): Command {
  const statusCommand = new Command('status')
    .description('show the certificate (default)')
    .option('--json', 'print it as JSON')
    .action(status);
  return commandGroup('tls', statusCommand, [
    new Command('renew')
      .description('get a new certificate where it is time')
      .option('--force', 'get one now')
      .addOption(new Option('--scheduled', 'as the timer calls it').hideHelp())
      .action(renew),
  ])
    .description('the certificate: what it is, and a new one where it is time')
    .addHelpText('after', example);
}

interface RenewFlags {
  readonly force?: boolean;
  readonly scheduled?: boolean;
}

async function status({ json }: JsonFlag): Promise<void> {
  const found = await tlsStatus(await serverFacts());
  console.log(json ? JSON.stringify(found, null, 2) : describeTls(found));
}

/**
 * The timer's call keeps to the times that earlier failures set, and that a DNS record is not there
 * yet is no failure of its own.
 */
async function renew({ force = false, scheduled = false }: RenewFlags): Promise<void> {
  const facts = await serverFacts();
  const context = { ...facts, report: consoleReporter };
  if (context.site.tls.mode === 'off') return console.log('The site has no TLS.');
  const { changed, open } = await ensureCertificate(context, { force, patient: scheduled });
  await updateCertificate(context, open.flatMap(certificateWarnings));
  if (changed) console.log('The gateway serves a new certificate.');
  const [first, ...rest] = open;
  if (!first) return changed ? undefined : console.log('The certificate is good.');
  for (const line of rest.flatMap(linesOf)) console.log(line);
  if (!scheduled) throw first;
  for (const line of linesOf(first)) console.log(line);
}
