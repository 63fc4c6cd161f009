import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { LandfallError, type Problem } from '#contract/errors.ts';
import { speakAs } from '../../base/language.ts';
import { placePushedSite } from '../../deliver/install/changed-site.ts';
import { expectInstalled, takeSnapshot } from '../../deliver/install/server-snapshot.ts';
import { formatDestination } from '../../deliver/ssh/arguments.ts';
import { lostCode, type SshConnection } from '../../deliver/ssh/connection.ts';
import { lastLines, sshFailure } from '../../deliver/ssh/printed.ts';
import { becomeRoot } from '../../deliver/ssh/root.ts';
import { readSite } from '../../inputs/config/site.ts';
import type { CommandContext } from '../context.ts';
import { expectAnswers, loginsTo, type ServerFlags } from './logins.ts';

/** Options of `landfall site push`. */
export interface PushSiteFlags extends ServerFlags {
  readonly site: string;
  readonly allowRoutePassword?: boolean;
}

/**
 * Sends a site to a server that is installed, and applies it there with `landfall site apply`, which shows
 * the difference, asks on this terminal, and goes back if the server does not work with it.
 * @throws LandfallError SSH_…, SERVER_UNFIT, COMMAND_FAILED; CONFIG_… and SITE_SECRET for the site
 */
export async function pushSite(
  context: CommandContext,
  server: string,
  flags: PushSiteFlags,
): Promise<void> {
  const { yes = false, json = false } = flags;
  expectAnswers(context.interactive && !json, flags);
  const path = resolve(context.cwd, flags.site);
  // Errors are shown before a login.
  const site = await readSite(path, { allowRoutePassword: flags.allowRoutePassword });
  await speakAs(site, flags);
  const text = await readFile(path, 'utf8');
  const logins = loginsTo(context, server, flags);
  await using connection = await logins.open();
  const root = await becomeRoot(connection);
  {
    await using snapshot = await takeSnapshot(root);
    await expectInstalled(snapshot, {
      en: 'Set it up with `landfall install`, or wait until `landfall status` reports that it is ready.',
      zh: '用 `landfall install` 部署它，或等 `landfall status` 显示已就绪。',
    });
  }
  const file = await placePushedSite(root, text);
  const apply = `landfall site apply ${file}${yes ? ' --yes' : ''}; code=$?; rm -f ${file}; exit $code`;
  const { code, problems } = json
    ? await quietly(connection, root.wrap(apply))
    : { code: await connection.show(root.wrap(apply), context.interactive), problems: [] };
  if (code === lostCode) throw sshFailure(formatDestination(logins.destination), '');
  if (code !== 0) throw failed('the server did not apply the site', problems);
  if (json) context.stdout.write(`${JSON.stringify({ state: 'applied' })}\n`);
}

/** Seconds: a model that the site adds may be pulled for hours. */
const limit = 6 * 3600;

async function quietly(connection: SshConnection, command: string) {
  const { code, stdout, stderr } = await connection.run(command, '', limit);
  return { code, problems: lastLines(`${stdout}${stderr}`) };
}

function failed(message: string, problems: readonly Problem[] = []): LandfallError {
  const hint = 'The reason is above. Run on the server: sudo landfall update history';
  return new LandfallError('COMMAND_FAILED', message, { hint, problems });
}
