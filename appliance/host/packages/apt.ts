import { setTimeout as sleep } from 'node:timers/promises';
import { LandfallError } from '#contract/errors.ts';
import { formatDuration } from '#contract/text/duration.ts';
import type { Host } from '../host.ts';
import { forgetLists, listsAreFresh, markListsFresh } from './lists.ts';
import { expectPackages, removePendingPackages, settlePackages } from './pending-sync.ts';
import { packageStates } from './states.ts';

/**
 * Never asks, waits for apt's own timers, retries what is slow, keeps changed settings, leaves
 * services that it did not touch alone.
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
const environment = { NEEDRESTART_MODE: 'l', APT_LISTCHANGES_FRONTEND: 'none' };

const attempts = 3;
const updateSeconds = 900;
/** Slow networks are what this is for. */
const installSeconds = 3600;

/** Which of these Debian packages are not installed. */
export async function missingPackages(host: Host, names: readonly string[]): Promise<string[]> {
  const states = await packageStates(host, names);
  return names.filter((name) => states.get(name) !== 'installed');
}

/**
 * Installs Debian packages that are missing, with what they need and nothing that they merely
 * recommend. Mends what a power cut during an earlier installation left behind.
 * @param say gets one line for people now and then
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
      if (missing.length > 0) await install(host, missing, { say, mendAll: attempt > 1 });
      // A kill may have come after apt had ended: a mark that stays would cost them at a later start.
      else await settlePackages(host);
      return;
    } catch (error) {
      if (!(error instanceof LandfallError)) throw error;
      await forgetLists(host);
      if (attempt === attempts) throw failure(error);
      say(`apt did not succeed, trying again in ${formatDuration(pauseMs)}`);
      await host.outside.measure(() => sleep(pauseMs));
    }
  }
}

interface Installation {
  readonly say: (line: string) => void;
  /** Whether apt looks for broken packages even where dpkg reports none. */
  readonly mendAll: boolean;
}

/** A list that cannot be read may be of somebody whose packages nobody needs now. */
async function install(host: Host, missing: readonly string[], { say, mendAll }: Installation) {
  await mend(host, mendAll);
  const unread = await readLists(host, say);
  say(`installing ${missing.join(', ')}`);
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
    throw unread ?? error;
  } finally {
    // Also where apt failed: its owner may install one of them by hand before the next start.
    await settlePackages(host);
  }
}

/** Gives the reason where not all of them could be read. */
async function readLists(
  host: Host,
  say: (line: string) => void,
): Promise<LandfallError | undefined> {
  if (await listsAreFresh(host)) return undefined;
  say('reading the list of packages');
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
 * Ends what an interrupted dpkg left half done. apt takes half a second to look for broken packages,
 * so it is asked only where dpkg reports one, could not configure all, or an installation failed.
 * dpkg does not wait for a lock that another process holds (code 2), apt does.
 */
async function mend(host: Host, mendAll: boolean): Promise<void> {
  const { code } = await host.run('dpkg', ['--configure', '--pending', '--force-confold'], {
    env: environment,
    seconds: installSeconds,
    accept: [1, 2],
  });
  if (code === 0 && !mendAll && (await isSound(host))) return;
  await host.run('apt-get', [...options, 'install', '--yes', '--fix-broken'], {
    env: environment,
    seconds: installSeconds,
  });
}

/** Whether dpkg knows of no package that is half installed; see dpkg(1), --audit. */
async function isSound(host: Host): Promise<boolean> {
  const { code, stdout } = await host.run('dpkg', ['--audit'], { accept: [1, 2] });
  return code === 0 && stdout === '';
}

function failure(cause: LandfallError): LandfallError {
  return new LandfallError('APT_FAILED', 'packages of the system could not be installed', {
    hint: 'Try `apt-get update` here. Where the archive cannot be reached, name one that can as mirrors.apt in the site, or a way out as route.',
    problems: [cause, ...cause.problems],
    cause,
  });
}
