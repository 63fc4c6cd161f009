import { LandfallError } from '#contract/errors.ts';
import { runCommand } from '../host/command.ts';
import { Host } from '../host/host.ts';
import { loadFacts } from '../load-facts.ts';
import { seeToCertificate } from '../tls/see-to-certificate.ts';
import { linesOf } from '../tls/stage.ts';
import { describeTls, tlsStatus } from '../tls/status.ts';
import type { Command } from './command.ts';
import { readFlags } from './read-flags.ts';
import { releaseFolder } from './release-folder.ts';

const actions: Readonly<Record<string, (args: readonly string[]) => Promise<void>>> = {
  status,
  renew,
};

export const tlsCommand: Command = {
  summary: 'the certificate: what it is, and a new one where it is time',
  usage: 'status [--json] | renew [--force]',
  root: true,
  run: async ([action = 'status', ...args]) => {
    const run = Object.hasOwn(actions, action) ? actions[action] : undefined;
    if (!run) {
      throw new LandfallError('USAGE', `landfall tls does not know ${action}`, {
        hint: `It knows ${Object.keys(actions).join(', ')}.`,
      });
    }
    await run(args);
  },
};

async function facts() {
  return await loadFacts(new Host('/', runCommand), await releaseFolder());
}

async function status(args: readonly string[]): Promise<void> {
  const { json } = readFlags('tls status', args, ['json']);
  const found = await tlsStatus(await facts());
  console.log(json ? JSON.stringify(found, null, 2) : describeTls(found));
}

/**
 * The timer's call keeps to the times that earlier failures set, and that a DNS record is not there
 * yet is no failure of its own.
 */
async function renew(args: readonly string[]): Promise<void> {
  const { force, scheduled } = readFlags('tls renew', args, ['force', 'scheduled']);
  const report = { say: console.log, warn: console.log, progress: () => {} };
  const context = { ...(await facts()), report };
  if (context.site.tls.mode === 'off') return console.log('The site has no TLS.');
  const { changed, open } = await seeToCertificate(context, { force, patient: scheduled });
  if (changed) console.log('The gateway serves a new certificate.');
  const [first, ...rest] = open;
  if (!first) return changed ? undefined : console.log('The certificate is good.');
  for (const line of rest.flatMap(linesOf)) console.log(line);
  if (!scheduled) throw first;
  for (const line of linesOf(first)) console.log(line);
}
