import { Command } from 'commander';
import { LandfallError } from '#contract/errors.ts';
import { takeChangeLock } from '../../server/host/lock/run-lock.ts';
import {
  redirectedUsers,
  redirectMeasure,
  removeRedirect,
  storeRedirectedUsers,
} from '../../stages/route/redirect/redirect.ts';
import {
  addProxychains,
  proxychainsPath,
  removeProxychains,
} from '../../stages/route/route-settings.ts';
import { serverContext } from '../command.ts';

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
  const context = await serverContext();
  const { host, site } = context;
  if (!off && users.length === 0) return await show(context);
  if (!off && site.route.mode === 'direct') throw noProxy();
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

/** `landfall route proxychains`: sets proxychains4 up for programs that ignore proxy variables. */
export function routeProxychainsCommand(): Command {
  return new Command('proxychains')
    .description('install proxychains4 with the proxy of the site')
    .option('--off', 'remove its settings')
    .action(proxychains);
}

async function proxychains({ off }: { readonly off?: boolean }): Promise<void> {
  const context = await serverContext();
  await takeChangeLock(context.host, console.log);
  if (off) {
    await removeProxychains(context.host);
    console.log('The settings of proxychains4 are removed.');
    return;
  }
  if (context.site.route.mode === 'direct') throw noProxy();
  await addProxychains(context);
  console.log(`Run: proxychains4 -f /${proxychainsPath} <command>`);
}

/** Returns the error of a command that needs a proxy in the site. */
export function noProxy(): LandfallError {
  return new LandfallError('CONFIG_MISSING', 'the site has no proxy', {
    hint: 'Set one with `sudo landfall site edit`.',
  });
}
