import { Command } from 'commander';
import { LandfallError } from '#contract/errors.ts';
import { inLanguage } from '#contract/text/language.ts';
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

/** `landfall route redirect`: sends all TCP connections of chosen users through the proxy. */
export function routeRedirectCommand() {
  return new Command('redirect')
    .description('send all TCP connections of chosen users through the proxy of the site')
    .option(
      '--user <name>',
      'the user; replaces the users of earlier calls (repeatable)',
      (name: string, names: readonly string[]) => [...names, name],
      [],
    )
    .option('--off', 'stop the redirection and remove its rules')
    .action(({ user, off }) => redirect(user, off));
}

async function redirect(users: readonly string[], off = false): Promise<void> {
  if (off && users.length > 0) {
    throw new LandfallError(
      'USAGE',
      inLanguage({ en: '--off and --user exclude each other', zh: '--off 和 --user 不能同时使用' }),
      {
        hint: { en: 'Use one of them.', zh: '只用其中一个。' },
      },
    );
  }
  const context = await serverContext();
  const { host, site } = context;
  if (!off && users.length === 0) return await show(context);
  if (!off && site.route.mode === 'direct') throw noProxy();
  await takeChangeLock(host, console.log);
  if (off) {
    await removeRedirect(host);
    console.log(inLanguage(noUser));
    return;
  }
  await storeRedirectedUsers(host, users);
  await redirectMeasure.apply(context);
  const list = (await redirectedUsers(host)).join(', ');
  console.log(
    inLanguage({
      en: `New TCP connections of ${list} use the proxy. Their names are still resolved on this server.`,
      zh: `${list} 的新 TCP 连接使用代理。域名仍在这台服务器上解析。`,
    }),
  );
}

const noUser = { en: 'No user is redirected.', zh: '没有重定向任何用户的连接。' };
const redirected = { en: 'redirected users', zh: '重定向的用户' };

async function show({ host, site }: Parameters<typeof redirectMeasure.check>[0]): Promise<void> {
  const users = await redirectedUsers(host);
  if (users.length === 0) return console.log(inLanguage(noUser));
  const todo = await redirectMeasure.check({ host, site });
  console.log(
    [`${inLanguage(redirected)}  ${users.join(', ')}`, ...todo.map((line) => `- ${line}`)].join(
      '\n',
    ),
  );
}

/** `landfall route proxychains`: sets proxychains4 up for programs that ignore proxy variables. */
export function routeProxychainsCommand() {
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
    console.log(
      inLanguage({
        en: 'The settings of proxychains4 are removed.',
        zh: 'proxychains4 的设置已删除。',
      }),
    );
    return;
  }
  if (context.site.route.mode === 'direct') throw noProxy();
  await addProxychains(context);
  console.log(
    inLanguage({
      en: `Run: proxychains4 -f /${proxychainsPath} <command>`,
      zh: `运行：proxychains4 -f /${proxychainsPath} <命令>`,
    }),
  );
}

/** Returns the error of a command that needs a proxy in the site. */
export function noProxy(): LandfallError {
  return new LandfallError(
    'CONFIG_MISSING',
    inLanguage({ en: 'the site has no proxy', zh: '站点没有设置代理' }),
    {
      hint: {
        en: 'Set one with `sudo landfall site edit`.',
        zh: '用 `sudo landfall site edit` 设置。',
      },
    },
  );
}
