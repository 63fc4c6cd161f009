import { LandfallError } from '#contract/errors.ts';
import { effectiveRoute } from '#contract/site/network/effective-route.ts';
import { hostAndPort } from '#contract/site/route.ts';
import type { Site } from '#contract/site/site.ts';
import { ipVersion } from '#platform/ip.ts';
import { findAccount } from '../../host/account.ts';
import { withCandidate } from '../../host/files.ts';
import type { Host } from '../../host/host.ts';
import {
  install,
  isEnabled,
  type ManagedFile,
  missing,
  remove,
  type Service,
  unitFileOf,
} from '../../host/service.ts';
import type { Measure } from '../../stage/measure.ts';
import type { Context } from '../../stage/stage.ts';
import { redirectedUsers, redirectedUsersFile } from './redirected-users.ts';
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

/** The service of the package, which has no proxy of ours. */
const packageUnit = 'redsocks.service';
const dropInFile = 'etc/systemd/system/nftables.service.d/landfall-redirect.conf';

interface Input {
  readonly host: Host;
  readonly site: Pick<Site, 'route'>;
}

/** Redirects connections of the stored users to the proxy of the site, or stops the redirection. */
export const redirectMeasure = {
  async check({ host, site }: Input): Promise<string[]> {
    const users = await redirectedUsers(host);
    if (users.length === 0 || site.route.mode === 'direct') return await missing(host, unwanted);
    const summary = `redirect connections of ${users.join(', ')} to the proxy`;
    // The files name the account of the package.
    const todo = await missing(host, { ...packaged, summary });
    return todo.length > 0
      ? todo
      : await missing(host, { ...(await redirectService(host, site)), summary });
  },

  /** @throws LandfallError APT_FAILED, CONFIG_INVALID */
  async apply({ host, site, report }: Context): Promise<void> {
    const users = await redirectedUsers(host);
    if (users.length === 0 || site.route.mode === 'direct') return await removeRedirect(host);
    // Rejects an unsupported proxy before the packages are installed.
    const route = effectiveRoute(site, 'host');
    if (route.mode !== 'direct') renderRedsocks(route.url);
    await install(host, packaged, report);
    if (await isEnabled(host, packageUnit)) {
      await host.run('systemctl', ['disable', '--now', '--quiet', packageUnit]);
    }
    await install(host, await redirectService(host, site));
  },
} satisfies Measure;

/** Stops the redirection and removes its rules and files. The packages stay installed. */
export async function removeRedirect(host: Host): Promise<void> {
  await remove(host, unwanted);
}

const packaged: Service = { packages: ['nftables', 'redsocks'] };

const unwanted: Service = {
  ...serviceWith({ redsocks: undefined, rules: undefined }),
  unwanted: 'stop the redirection of users',
};

async function redirectService(host: Host, site: Input['site']): Promise<Service> {
  const route = effectiveRoute(site, 'host');
  if (route.mode === 'direct') return unwanted;
  const [redsocks, ...users] = await Promise.all(
    ['redsocks', ...(await redirectedUsers(host))].map((name) => findAccount(host, name)),
  );
  // A deleted user has no processes; the ID may get another owner.
  const uids = users.flatMap((user) => user?.uid ?? []);
  if (redsocks === undefined || uids.length === 0) throw missingAccounts();
  const rules = renderRedirectRules({
    users: uids,
    redsocks: redsocks.uid,
    proxy: proxyAddress(route.url),
    exempt: route.no_proxy,
  });
  return serviceWith({ redsocks: renderRedsocks(route.url), rules });
}

function serviceWith({ redsocks, rules }: Record<'redsocks' | 'rules', string | undefined>) {
  const keepsUsers: ManagedFile = { path: redirectedUsersFile, text: (current) => current };
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

const types: Readonly<Record<string, string>> = {
  'http:': 'http-connect',
  'socks5:': 'socks5',
  'socks5h:': 'socks5',
};

/**
 * Renders redsocks.conf with the proxy of the site. The result contains the login of the proxy.
 * @throws LandfallError CONFIG_INVALID for a proxy that redsocks does not support
 */
export function renderRedsocks(proxy: string): string {
  const url = new URL(proxy);
  const type = types[url.protocol];
  const address = proxyAddress(proxy);
  if (type === undefined) {
    throw unsupported('a proxy that is reached over TLS', 'Use its HTTP or SOCKS5 port');
  }
  const port = hostAndPort(url).slice(url.hostname.length + 1);
  const login =
    url.username === ''
      ? ''
      : `\tlogin = ${quoted(url.username)};\n\tpassword = ${quoted(url.password)};\n`;
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
	ip = ${address};
	port = ${port};
	type = ${type};
${login}}
`;
}

/**
 * Returns the IPv4 address of a proxy. The rules exclude it, and redsocks supports IPv4 only; a name
 * could get another address than the rules have.
 * @throws LandfallError CONFIG_INVALID
 */
function proxyAddress(proxy: string): string {
  const { hostname } = new URL(proxy);
  if (ipVersion(hostname) === 4) return hostname;
  throw unsupported('a proxy without an IPv4 address', 'Use its IPv4 address');
}

/** Returns a decoded part of a URL as a string of redsocks' parser.c. */
function quoted(part: string): string {
  return `"${decodeURIComponent(part).replace(/["\\]/g, '\\$&')}"`;
}

function unsupported(what: string, advice: string): LandfallError {
  return new LandfallError('CONFIG_INVALID', `redirected users cannot use ${what}`, {
    hint: `${advice} as the route of the site, or run \`sudo landfall route redirect --off\`.`,
  });
}
