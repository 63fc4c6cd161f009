import { z } from 'zod';
import { LandfallError } from '#contract/errors.ts';
import { effectiveRoute } from '#contract/site/network/effective-route.ts';
import type { Site } from '#contract/site/site.ts';
import { numericProxy } from '#proxy-settings/proxychains.ts';
import { type Account, findAccount } from '../../../server/host/account.ts';
import { withCandidate } from '../../../server/host/files.ts';
import type { Host } from '../../../server/host/host.ts';
import { missingPackages } from '../../../server/host/packages/apt.ts';
import {
  install,
  isEnabled,
  type ManagedFile,
  missing,
  remove,
  type Service,
  unitFileOf,
} from '../../../server/host/service.ts';
import { StateFile } from '../../../server/host/state-file.ts';
import type { Measure } from '../../../server/stage/measure.ts';
import type { Context } from '../../../server/stage/stage.ts';
import {
  redirectPort,
  redsocksFile,
  redsocksUnit,
  renderRedirectRules,
  renderRedsocksUnit,
  renderRulesDropIn,
  renderRulesUnit,
  rulesFile,
  rulesUnit,
} from './render-rules.ts';

const format = z.object({ users: z.array(z.string()) });
/** The names of the redirected users. */
const storedUsers = new StateFile('etc/landfall/redirect.json', format, {
  initial: { users: [] },
  isLine: true,
  hint: {
    en: 'Run `sudo landfall route redirect --user <name>` again.',
    zh: '再次运行 `sudo landfall route redirect --user <名称>`。',
  },
});
/** systemd reuses these IDs for other services (DynamicUser=). */
const dynamic = { first: 61_184, last: 65_519 };

/** Returns the names of the redirected users. @throws LandfallError STATE_INVALID */
export async function redirectedUsers(host: Host): Promise<string[]> {
  return (await storedUsers.read(host)).users;
}

/**
 * Stores the names of the redirected users.
 * @throws LandfallError USAGE for a user that must not be redirected or does not exist
 */
export async function storeRedirectedUsers(host: Host, names: readonly string[]): Promise<void> {
  const accounts = await Promise.all(names.map((name) => redirectable(host, name)));
  const users = [...new Set(accounts.map(({ user }) => user))].sort();
  await storedUsers.write(host, { users });
}

async function redirectable(host: Host, name: string): Promise<Account> {
  const account = await findAccount(host, name);
  if (account === undefined) throw refused(name, 'the user does not exist');
  const { uid, user } = account;
  // The services of the server, such as sshd and apt, run as root.
  if (uid === 0) throw refused(name, 'the services of this server run as root');
  if (user === 'redsocks') throw refused(name, 'its connections would be redirected to itself');
  if (uid >= dynamic.first && uid <= dynamic.last) {
    throw refused(name, 'the ID of this user changes');
  }
  return account;
}

function refused(name: string, cause: string): LandfallError {
  return new LandfallError('USAGE', `user ${name} cannot be redirected: ${cause}`, {
    hint: {
      en: 'Choose a login user or the user of a service.',
      zh: '选择一个登录用户，或某个服务的用户。',
    },
  });
}

/** The service of the package, which has no proxy of ours. */
const packageUnit = 'redsocks.service';
const dropInFile = 'etc/systemd/system/nftables.service.d/landfall-redirect.conf';

interface Input {
  readonly host: Host;
  readonly site: Pick<Site, 'route'>;
}

/** Redirects connections of the stored users to the proxy of the site, or stops the redirection. */
export const redirectMeasure = {
  check: async ({ host, site }: Input) => await missing(host, await redirectService(host, site)),

  /** @throws LandfallError APT_FAILED, CONFIG_INVALID */
  async apply({ host, site, report }: Context): Promise<void> {
    const { unwanted: isUnwanted } = await redirectService(host, site);
    if (isUnwanted) return await removeRedirect(host);
    await install(host, packaged, report);
    if (await isEnabled(host, packageUnit)) {
      await host.run('systemctl', ['disable', '--now', '--quiet', packageUnit]);
    }
    // The files name the account of the package.
    await install(host, await redirectService(host, site));
  },
} satisfies Measure;

/** Stops the redirection and removes its rules and files. The packages stay installed. */
export async function removeRedirect(host: Host): Promise<void> {
  await remove(host, unwanted);
}

const packaged = { packages: ['nftables', 'redsocks'] } satisfies Service;

const unwanted: Service = {
  ...serviceWith({ redsocks: undefined, rules: undefined }),
  unwanted: { en: 'stop the redirection of users', zh: '停止重定向用户的连接' },
};

/** Returns the redirection; only its packages until they are installed. */
async function redirectService(host: Host, site: Input['site']): Promise<Service> {
  const route = effectiveRoute(site, 'host');
  const names = await redirectedUsers(host);
  if (route.mode === 'direct' || names.length === 0) return unwanted;
  const config = renderRedsocks(route.url);
  const list = names.join(', ');
  const summary = {
    en: `redirect connections of ${list} to the proxy`,
    zh: `把 ${list} 的连接重定向到代理`,
  };
  const absent = await missingPackages(host, packaged.packages);
  if (absent.length > 0) return { ...packaged, summary };
  const [redsocks, ...users] = await Promise.all(
    ['redsocks', ...names].map((name) => findAccount(host, name)),
  );
  // A deleted user has no processes; the ID may get another owner.
  const uids = users.flatMap((user) => user?.uid ?? []);
  if (redsocks === undefined || uids.length === 0) throw missingAccounts();
  const rules = renderRedirectRules({
    users: uids,
    redsocks: redsocks.uid,
    proxy: forRedsocks(route.url).host,
    exempt: route.no_proxy,
  });
  return { ...serviceWith({ redsocks: config, rules }), summary };
}

function serviceWith({ redsocks, rules }: Record<'redsocks' | 'rules', string | undefined>) {
  const keepsUsers: ManagedFile = { path: storedUsers.path, text: (current) => current };
  return {
    files: [
      keepsUsers,
      { path: redsocksFile, text: redsocks, mode: 0o600, verify: verifyRedsocks },
      { path: rulesFile, text: rules, verify: verifyRules },
      { path: dropInFile, text: renderRulesDropIn() },
      { path: unitFileOf(rulesUnit), text: renderRulesUnit() },
      { path: unitFileOf(redsocksUnit), text: renderRedsocksUnit() },
    ],
    // Loading the rules replaces them without a gap.
    units: [
      { name: rulesUnit, restart: 'reload' },
      { name: redsocksUnit, restart: 'always' },
    ],
  } satisfies Service;
}

function missingAccounts(): LandfallError {
  return new LandfallError('STATE_INVALID', 'the redirected users or redsocks have no account', {
    hint: 'Run `sudo landfall route redirect --off`, then `sudo landfall route redirect --user <name>`.',
  });
}

const candidate = 'run/landfall/redirect-candidate';

/** Checks a file of rules with nft without loading it. @throws LandfallError COMMAND_FAILED */
async function verifyRules(host: Host, text: string): Promise<void> {
  await withCandidate(host, candidate, { text }, (path) =>
    host.run('nft', ['--check', '--file', path]),
  );
}

/** Checks settings of redsocks with its own parser. @throws LandfallError COMMAND_FAILED */
async function verifyRedsocks(host: Host, text: string): Promise<void> {
  await withCandidate(host, candidate, { text }, (path) =>
    host.run('redsocks', ['-t', '-c', path]),
  );
}

/**
 * Renders redsocks.conf with the proxy of the site. The result contains the login of the proxy.
 * @throws LandfallError CONFIG_INVALID for a proxy that redsocks does not support
 */
export function renderRedsocks(proxy: string): string {
  const { kind, host, port, login } = forRedsocks(proxy);
  const [user, password = ''] = login;
  const account =
    user === undefined ? '' : `\tlogin = ${quoted(user)};\n\tpassword = ${quoted(password)};\n`;
  return `// Made by Landfall. Do not edit this file; run landfall route redirect.
base {
	log_debug = off;
	log_info = off;
	log = stderr;
	daemon = off;
	redirector = iptables;
}
redsocks {
	local_ip = 127.0.0.1;
	local_port = ${redirectPort};
	ip = ${host};
	port = ${port};
	type = ${kind === 'http' ? 'http-connect' : kind};
${account}}
`;
}

function forRedsocks(proxy: string) {
  const otherwise = ' as the route of the site, or run `sudo landfall route redirect --off`';
  return numericProxy(proxy, 'redirected users cannot use', otherwise);
}

/** Returns a text as a string of redsocks' parser.c. */
function quoted(text: string): string {
  return `"${text.replace(/["\\]/g, '\\$&')}"`;
}
