import { setTimeout as sleep } from 'node:timers/promises';
import { LandfallError } from '#contract/errors.ts';
import type { Host } from './host.ts';
import { forgetLists, listsAreFresh, markListsFresh } from './package-lists.ts';
import { expectPackages, removeUnsettledPackages, settlePackages } from './unsettled-packages.ts';

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
  const states = await statesOf(host, names);
  return names.filter((name) => states.get(name) !== 'installed');
}

/** What dpkg calls them, as `installed` or `config-files`; nothing for those it never heard of. */
async function statesOf(host: Host, names: readonly string[]): Promise<Map<string, string>> {
  const { stdout } = await host.run(
    'dpkg-query',
    ['--show', '--showformat=${Package} ${db:Status-Status}\n', ...names],
    { accept: [1] },
  );
  return new Map(
    [...stdout.matchAll(/^(\S+) (\S+)$/gm)].map(([, name = '', state = '']) => [name, state]),
  );
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
      await removeUnsettledPackages(host, say);
      const missing = await missingPackages(host, names);
      if (missing.length > 0) await install(host, missing, say);
      return;
    } catch (error) {
      if (!(error instanceof LandfallError)) throw error;
      await forgetLists(host);
      if (attempt === attempts) throw failure(error);
      say(`apt did not succeed, trying again in ${pauseMs / 1000} s`);
      await host.outside.measure(() => sleep(pauseMs));
    }
  }
}

/** A list that cannot be read may be of somebody whose packages nobody needs now. */
async function install(host: Host, missing: readonly string[], say: (line: string) => void) {
  await mend(host);
  const unread = await readLists(host, say);
  say(`installing ${missing.join(', ')}`);
  try {
    await expectPackages(host, await newPackages(host, missing));
    await host.run('apt-get', [...options, 'install', '--yes', ...missing], {
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

/** What apt would install for these that is not there yet in any state; see apt-get(8), -s. */
async function newPackages(host: Host, missing: readonly string[]): Promise<string[]> {
  const { stdout } = await host.run('apt-get', [...options, 'install', '--simulate', ...missing]);
  const names = [...stdout.matchAll(/^Inst (\S+) \(/gm)].map(([, name = '']) => name);
  if (names.length === 0) return [];
  const states = await statesOf(host, names);
  return names.filter((name) => states.get(name) !== 'config-files');
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
 * Ends what an interrupted dpkg left half done; quick where there is nothing. dpkg does not wait for
 * a lock that somebody holds (code 2), apt does.
 */
async function mend(host: Host): Promise<void> {
  await host.run('dpkg', ['--configure', '--pending', '--force-confold'], {
    env: environment,
    seconds: installSeconds,
    accept: [1, 2],
  });
  await host.run('apt-get', [...options, 'install', '--yes', '--fix-broken'], {
    env: environment,
    seconds: installSeconds,
  });
}

function failure(cause: LandfallError): LandfallError {
  return new LandfallError('APT_FAILED', 'packages of the system could not be installed', {
    hint: 'Try `apt-get update` here. Where the archive cannot be reached, name one that can as mirrors.apt in the site, or a way out as route. The first boot goes on by itself.',
    problems: [cause, ...cause.problems],
    cause,
  });
}
