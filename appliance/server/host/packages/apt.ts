import { setTimeout as sleep } from 'node:timers/promises';
import { LandfallError } from '#contract/errors.ts';
import { formatDuration } from '#contract/text/amount.ts';
import { inLanguage } from '#contract/text/language.ts';
import { readText } from '../files.ts';
import type { Host } from '../host.ts';
import { forgetLists, listsAreFresh, markListsFresh } from './lists.ts';
import {
  expectPackages,
  packageStates,
  removePendingPackages,
  syncPackages,
} from './pending-sync.ts';
import { packageVersions } from './versions.ts';

/**
 * Waits for the locks of apt's timers, retries slow downloads, keeps changed configuration files, and
 * installs no recommended packages.
 */
const options = [
  ['DPkg::Lock::Timeout', '600'],
  ['Acquire::Retries', '3'],
  ['Acquire::http::Timeout', '60'],
  ['Acquire::https::Timeout', '60'],
  ['Dpkg::Use-Pty', '0'],
  ['Dpkg::Options::', '--force-confold'],
  ['APT::Install-Recommends', 'false'],
].flatMap(([name, value]) => ['-o', `${name}=${value}`]);
/** needrestart only lists services and does not restart them. */
const environment = { NEEDRESTART_MODE: 'l', APT_LISTCHANGES_FRONTEND: 'none' };

const attempts = 3;
const updateSeconds = 900;
/** Long enough for slow networks. */
const installSeconds = 3600;

/** Returns those of the named Debian packages that are not installed. */
export async function missingPackages(host: Host, names: readonly string[]): Promise<string[]> {
  const states = await packageStates(host, names);
  return names.filter((name) => states.get(name) !== 'installed');
}

/**
 * Installs missing Debian packages with their dependencies, without recommended packages. Repairs an
 * earlier installation that was interrupted.
 * @param say receives progress lines
 * @param pauseMs milliseconds between attempts
 * @throws LandfallError APT_FAILED
 */
export async function installPackages(
  host: Host,
  names: readonly string[],
  say: (line: string) => void,
  pauseMs = 10_000,
): Promise<void> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      await removePendingPackages(host, say);
      const missing = await missingPackages(host, names);
      if (missing.length > 0) await install(host, missing, { say, repairAll: attempt > 1 });
      // The process may have been killed after apt ended. A stale mark would purge the packages later.
      else await syncPackages(host);
      return;
    } catch (error) {
      if (!(error instanceof LandfallError)) throw error;
      await forgetLists(host);
      if (error.code === 'APT_FAILED') throw error;
      if (attempt === attempts) throw failure(error);
      say(
        inLanguage({
          en: `apt failed; retrying in ${formatDuration(pauseMs)}`,
          zh: `apt 失败，${formatDuration(pauseMs)} 后重试`,
        }),
      );
      await host.outside.measure(() => sleep(pauseMs));
    }
  }
}

interface Installation {
  readonly say: (line: string) => void;
  /** Whether apt looks for broken packages even if dpkg reports none. */
  readonly repairAll: boolean;
}

/** Installs packages. A failed update counts only if the installation fails too. */
async function install(host: Host, missing: readonly string[], { say, repairAll }: Installation) {
  await repair(host, repairAll);
  const updateError = await readLists(host, say);
  say(inLanguage({ en: `installing ${missing.join(', ')}`, zh: `安装 ${missing.join(', ')}` }));
  try {
    const noting = await expectPackages(host);
    await host.run('apt-get', [...options, ...noting, 'install', '--yes', ...missing], {
      env: environment,
      seconds: installSeconds,
      onLine: (line) => {
        if (/^(?:Unpacking|Setting up) /.test(line)) say(line.replace(/ \.\.\.$/, ''));
      },
    });
  } catch (error) {
    throw updateError ?? (await withoutSource(host, missing)) ?? error;
  } finally {
    // Also after a failure: the administrator may install a package manually before the next boot.
    await syncPackages(host);
  }
}

/** Updates the package lists if they are stale. Returns the error if an update fails. */
async function readLists(
  host: Host,
  say: (line: string) => void,
): Promise<LandfallError | undefined> {
  if (await listsAreFresh(host)) return undefined;
  say(inLanguage({ en: 'updating the package lists', zh: '更新软件包列表' }));
  try {
    await host.run('apt-get', [...options, '-o', 'APT::Update::Error-Mode=any', 'update'], {
      env: environment,
      seconds: updateSeconds,
    });
    await markListsFresh(host);
    return undefined;
  } catch (error) {
    if (error instanceof LandfallError) return error;
    throw error;
  }
}

/**
 * Completes an interrupted run of dpkg. apt takes half a second to look for broken packages, so it
 * runs only if dpkg reports one, could not configure all, or an installation failed before.
 * dpkg fails with code 2 if another process holds the lock; apt waits for it.
 */
async function repair(host: Host, repairAll: boolean): Promise<void> {
  const { code } = await host.run('dpkg', ['--configure', '--pending', '--force-confold'], {
    env: environment,
    seconds: installSeconds,
    accept: [1, 2],
  });
  if (code === 0 && !repairAll && (await isSound(host))) return;
  await host.run('apt-get', [...options, 'install', '--yes', '--fix-broken'], {
    env: environment,
    seconds: installSeconds,
  });
}

/** Reports whether no package is half installed; see dpkg(1), --audit. */
async function isSound(host: Host): Promise<boolean> {
  const { code, stdout } = await host.run('dpkg', ['--audit'], { accept: [1, 2] });
  return code === 0 && stdout === '';
}

/** Returns an error if no package source has some of the packages. */
async function withoutSource(
  host: Host,
  names: readonly string[],
): Promise<LandfallError | undefined> {
  const versions = await packageVersions(host, names);
  const found = new Set(versions.filter(({ candidate }) => candidate).map(({ name }) => name));
  const absent = names.filter((name) => !found.has(name));
  if (absent.length === 0) return undefined;
  const isUbuntu = /^ID=ubuntu$/m.test((await readText(host, 'etc/os-release')) ?? '');
  return new LandfallError('APT_FAILED', `no package source has ${absent.join(', ')}`, {
    hint: isUbuntu
      ? 'Enable the component universe with `sudo add-apt-repository universe`, or set mirrors.apt in the site to an archive that has it.'
      : 'Add the component main of the archive to the package sources, or set mirrors.apt in the site.',
  });
}

function failure(cause: LandfallError): LandfallError {
  return new LandfallError('APT_FAILED', 'installing system packages failed', {
    hint: 'Run `sudo apt-get update` on the server; if the archive is unreachable, set mirrors.apt or route in the site.',
    problems: [cause, ...cause.problems],
    cause,
  });
}
