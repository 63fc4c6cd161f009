import type { Host } from '../host/host.ts';
import { install, isInPlace, type Service } from '../host/service.ts';
import { checkSshdSettings, sshdSettings } from '../host/sshd/sshd.ts';
import {
  changeUnderUndo,
  confirm,
  restoreScript,
  type Undo,
  unconfirmed,
} from '../host/undo/undo.ts';
import { knownAlgorithms } from './algorithms.ts';
import { hasWeakRsaKey } from './host-keys.ts';
import { withInclude } from './include.ts';
import { unproven } from './login-proof.ts';
import { rereadingSettings } from './rereading-settings.ts';
import { overridden, renderSettings, type Settings, settingsFor } from './settings.ts';

/** sshd uses the first value of a keyword: this file sorts before `50-cloud-init.conf`. */
const settingsFile = 'etc/ssh/sshd_config.d/00-landfall.conf';
const mainFile = 'etc/ssh/sshd_config';

const undoName = 'ssh';
/** Sufficient for the test logins on a slow machine. */
const undoSeconds = 300;

/** Returns the settings for this server. @throws LandfallError TOOL_MISSING, COMMAND_FAILED */
export async function wantedSettings(host: Host): Promise<Settings> {
  return settingsFor({
    algorithms: await knownAlgorithms(host),
    now: await sshdSettings(host),
    weakRsaKey: await hasWeakRsaKey(host),
  });
}

/**
 * Returns whether the settings file is current and confirmed, and sshd reads it first.
 */
export async function areInPlace(host: Host, settings: Settings): Promise<boolean> {
  if ((await unconfirmed(host)).includes(undoName)) return false;
  return await isInPlace(host, filesOf(settings));
}

/**
 * Returns the settings that are not in effect for some user, one sentence each: another file or a
 * `Match` block overrides them.
 */
export async function overriddenFor(
  host: Host,
  settings: Settings,
  users: readonly string[],
): Promise<string[]> {
  const sentences = new Set<string>();
  for (const user of users) {
    const effective = await sshdSettings(host, { user, address: anyClient });
    for (const { keyword, wanted, found } of overridden(settings, effective)) {
      sentences.add(`${keyword} is ${found} for ${user}, not ${wanted}`);
    }
  }
  return [...sentences];
}

/** A documentation address (RFC 5737), for `Match` blocks: it stands for any client. */
const anyClient = '192.0.2.1';

/**
 * Applies the settings. The previous ones are restored when the test fails, and after a crash or a
 * power cut.
 * @param prove throws if the administrator cannot log in with the new settings
 * @throws LandfallError SSH_UNPROVEN, COMMAND_FAILED
 */
export async function applySettings(
  host: Host,
  settings: Settings,
  users: readonly string[],
  prove: () => Promise<void>,
): Promise<void> {
  await changeUnderUndo(host, await undoOf(host), async () => {
    await install(host, filesOf(settings));
    await checkSshdSettings(host);
    const sentences = await overriddenFor(host, settings, users);
    if (sentences.length > 0) {
      throw unproven('other settings in /etc/ssh override those of Landfall', sentences);
    }
    for (const command of await rereadingSettings(host)) await host.run('systemctl', command);
    await prove();
  });
  await confirm(host, undoName);
}

function filesOf(settings: Settings): Service {
  return {
    files: [
      { path: mainFile, text: (current) => withInclude(current ?? '') },
      { path: settingsFile, text: renderSettings(settings) },
    ],
  };
}

async function undoOf(host: Host): Promise<Undo> {
  const reread = await rereadingSettings(host);
  const script = [
    await restoreScript(host, settingsFile),
    await restoreScript(host, mainFile),
    ...reread.map((command) => `systemctl --no-block ${command.join(' ')}\n`),
  ].join('');
  return { name: undoName, script, seconds: undoSeconds };
}
