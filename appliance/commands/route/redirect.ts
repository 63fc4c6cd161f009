import { Command } from 'commander';
import { LandfallError } from '#contract/errors.ts';
import { takeChangeLock } from '../../host/lock/run-lock.ts';
import { redirectMeasure, removeRedirect } from '../../route/redirect/redirect.ts';
import { redirectedUsers, storeRedirectedUsers } from '../../route/redirect/redirected-users.ts';
import { consoleReporter } from '../console-reporter.ts';
import { serverFacts } from '../server-facts.ts';

interface Flags {
  readonly user: readonly string[];
  readonly off?: boolean;
}

/** `landfall route redirect`: sends all TCP connections of chosen users through the proxy. */
export function routeRedirectCommand(): Command {
  return new Command('redirect')
    .description('send all TCP connections of chosen users through the proxy of the site')
    .option(
      '--user <name>',
      'the user; replaces the users of earlier calls (repeatable)',
      (name: string, names: readonly string[]) => [...names, name],
      [],
    )
    .option('--off', 'stop the redirection and remove its rules')
    .action(redirect);
}

async function redirect({ user: users, off }: Flags): Promise<void> {
  if (off && users.length > 0) {
    throw new LandfallError('USAGE', '--off and --user exclude each other', {
      hint: 'Use one of them.',
    });
  }
  const context = { ...(await serverFacts()), report: consoleReporter };
  const { host, site } = context;
  if (!off && users.length === 0) return await show(context);
  if (!off && site.route.mode === 'direct') {
    throw new LandfallError('CONFIG_MISSING', 'the site has no proxy', {
      hint: 'Set route in /etc/landfall/site.json, then run `sudo landfall first-boot`.',
    });
  }
  await takeChangeLock(host, console.log);
  if (off) {
    await removeRedirect(host);
    console.log('No user is redirected.');
    return;
  }
  await storeRedirectedUsers(host, users);
  await redirectMeasure.apply(context);
  console.log(
    `New TCP connections of ${(await redirectedUsers(host)).join(', ')} use the proxy. Their names are still resolved on this server.`,
  );
}

async function show({ host, site }: Parameters<typeof redirectMeasure.check>[0]): Promise<void> {
  const users = await redirectedUsers(host);
  if (users.length === 0) return console.log('No user is redirected.');
  const todo = await redirectMeasure.check({ host, site });
  console.log(
    [`redirected users  ${users.join(', ')}`, ...todo.map((line) => `- ${line}`)].join('\n'),
  );
}
