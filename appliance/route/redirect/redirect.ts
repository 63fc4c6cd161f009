import { rmdir } from 'node:fs/promises';
import { dirname } from 'node:path';
import { LandfallError } from '#contract/errors.ts';
import { effectiveRoute } from '#contract/site/network/effective-route.ts';
import type { Site } from '#contract/site/site.ts';
import { findAccount } from '../../host/account.ts';
import { isFile, readText, removeFile, writeText } from '../../host/files.ts';
import type { Host } from '../../host/host.ts';
import { installPackages, missingPackages } from '../../host/packages/apt.ts';
import { isActive, isEnabled } from '../../host/systemd.ts';
import type { Context } from '../../stage/stage.ts';
import { redirectedUsers, redirectedUsersFile } from './redirected-users.ts';
import { proxyAddress, renderRedsocks } from './render-redsocks.ts';
import { renderRedirectRules } from './render-rules.ts';
import {
  redsocksFile,
  redsocksUnit,
  renderRedsocksUnit,
  renderRulesDropIn,
  renderRulesUnit,
  rulesFile,
  rulesUnit,
} from './render-units.ts';
import { verifyRedsocks, verifyRules } from './verify.ts';

const packages = ['nftables', 'redsocks'];
/** The service of the package, which has no proxy of ours. */
const packageUnit = 'redsocks.service';
const dropInFile = 'etc/systemd/system/nftables.service.d/landfall-redirect.conf';
const units = {
  rules: `etc/systemd/system/${rulesUnit}`,
  redsocks: `etc/systemd/system/${redsocksUnit}`,
};
const allFiles = [
  redirectedUsersFile,
  rulesFile,
  redsocksFile,
  dropInFile,
  ...Object.values(units),
];

interface Input {
  readonly host: Host;
  readonly site: Pick<Site, 'route'>;
}

/** Returns what {@link applyRedirect} would do, one line per action. */
export async function redirectTodo({ host, site }: Input): Promise<string[]> {
  const users = await redirectedUsers(host);
  if (users.length === 0 || site.route.mode === 'direct') {
    return (await isPresent(host)) ? ['stop the redirection of users'] : [];
  }
  const missing = await missingPackages(host, packages);
  const line = `redirect connections of ${users.join(', ')} to the proxy`;
  if (missing.length > 0) return [...missing.map((name) => `install ${name}`), line];
  return (await isInPlace({ host, site })) ? [] : [line];
}

/**
 * Redirects connections of the stored users to the proxy of the site, or stops the redirection.
 * Idempotent.
 * @throws LandfallError APT_FAILED, CONFIG_INVALID
 */
export async function applyRedirect({ host, site, report }: Context): Promise<void> {
  const users = await redirectedUsers(host);
  if (users.length === 0 || site.route.mode === 'direct') return await removeRedirect(host);
  // Rejects an unsupported proxy before the packages are installed.
  const route = effectiveRoute(site, 'host');
  if (route.mode !== 'direct') renderRedsocks(route.url);
  if ((await missingPackages(host, packages)).length > 0) {
    await installPackages(host, packages, (line) => report.say(line));
  }
  if (await isEnabled(host, packageUnit)) {
    await host.run('systemctl', ['disable', '--now', '--quiet', packageUnit]);
  }
  if (await isInPlace({ host, site })) return;
  const files = await filesOf({ host, site });
  for (const { text, verify } of files) await verify?.(host, text);
  for (const { path, text, mode } of files) await writeText(host, path, text, { mode });
  await host.run('systemctl', ['daemon-reload']);
  await host.run('systemctl', ['enable', '--quiet', rulesUnit, redsocksUnit]);
  await host.run('systemctl', ['reload-or-restart', rulesUnit]);
  await host.run('systemctl', ['restart', redsocksUnit]);
}

/** Stops the redirection and removes its rules and files. The packages stay installed. */
export async function removeRedirect(host: Host): Promise<void> {
  if (!(await isPresent(host))) return;
  // Without units, for example after an interruption, there is nothing to stop.
  if ((await readText(host, units.rules)) !== undefined) {
    await host.run('systemctl', ['disable', '--now', '--quiet', redsocksUnit, rulesUnit]);
  }
  for (const path of allFiles) await removeFile(host, path);
  await removeIfEmpty(host, dirname(dropInFile));
  await host.run('systemctl', ['daemon-reload']);
}

async function filesOf({ host, site }: Input) {
  const route = effectiveRoute(site, 'host');
  if (route.mode === 'direct') return [];
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
  return [
    { path: redsocksFile, text: renderRedsocks(route.url), mode: 0o600, verify: verifyRedsocks },
    { path: rulesFile, text: rules, mode: 0o644, verify: verifyRules },
    { path: units.rules, text: renderRulesUnit(), mode: 0o644 },
    { path: units.redsocks, text: renderRedsocksUnit(), mode: 0o644 },
    { path: dropInFile, text: renderRulesDropIn(), mode: 0o644 },
  ];
}

async function isInPlace(input: Input): Promise<boolean> {
  const { host } = input;
  for (const { path, text, mode } of await filesOf(input)) {
    if (!(await isFile(host, path, text, { mode }))) return false;
  }
  for (const unit of [rulesUnit, redsocksUnit]) {
    if (!((await isActive(host, unit)) && (await isEnabled(host, unit)))) return false;
  }
  return true;
}

async function isPresent(host: Host): Promise<boolean> {
  const texts = await Promise.all(allFiles.map((path) => readText(host, path)));
  return texts.some((text) => text !== undefined);
}

async function removeIfEmpty(host: Host, folder: string): Promise<void> {
  // The firewall has a file in the same folder.
  await rmdir(host.path(folder)).catch(() => undefined);
}

function missingAccounts(): LandfallError {
  return new LandfallError('STATE_INVALID', 'the redirected users or redsocks have no account', {
    hint: 'Run `sudo landfall route redirect --off`, then `sudo landfall route redirect --user <name>`.',
  });
}
