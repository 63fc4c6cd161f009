import { stat } from 'node:fs/promises';
import { isFile, readText, writeText } from '../host/files.ts';
import type { Host } from '../host/host.ts';
import { checkSshdSettings, sshdSettings } from '../host/sshd/sshd.ts';
import { restoreScript } from '../host/undo/restore-script.ts';
import { changeUnderUndo, confirm, type Undo, unconfirmed } from '../host/undo/undo.ts';
import { knownAlgorithms } from './algorithms.ts';
import { hasWeakRsaKey } from './host-keys.ts';
import { withInclude } from './include.ts';
import { unproven } from './login-proof.ts';
import { rereadingSettings } from './rereading-settings.ts';
import { overruled, renderSettings, type Settings, settingsFor } from './settings.ts';

/** sshd takes the first value that it reads: this sorts before `50-cloud-init.conf`. */
const settingsFile = 'etc/ssh/sshd_config.d/00-landfall.conf';
const mainFile = 'etc/ssh/sshd_config';

const undoName = 'ssh';
/** Enough for the proof that follows, on a slow machine too. */
const undoSeconds = 300;

/** The settings that belong on this server. @throws LandfallError TOOL_MISSING, COMMAND_FAILED */
export async function wantedSettings(host: Host): Promise<Settings> {
  return settingsFor({
    algorithms: await knownAlgorithms(host),
    now: await sshdSettings(host),
    weakRsaKey: await hasWeakRsaKey(host),
  });
}

/**
 * Whether the settings lie where they belong, to stay, and sshd reads them before all others.
 */
export async function areInPlace(host: Host, settings: Settings): Promise<boolean> {
  if ((await unconfirmed(host)).includes(undoName)) return false;
  const main = (await readText(host, mainFile)) ?? '';
  return withInclude(main) === main && (await isFile(host, settingsFile, renderSettings(settings)));
}

/**
 * The settings that do not hold for some user, as sentences: another file or a `Match` overrules
 * them.
 */
export async function overruledFor(
  host: Host,
  settings: Settings,
  users: readonly string[],
): Promise<string[]> {
  const sentences = new Set<string>();
  for (const user of users) {
    const effective = await sshdSettings(host, { user, address: somewhere });
    for (const { keyword, wanted, found } of overruled(settings, effective)) {
      sentences.add(`${keyword} is ${found} for ${user}, not ${wanted}`);
    }
  }
  return [...sentences];
}

/** An address that is nobody's (RFC 5737): what holds for it holds for the world. */
const somewhere = '192.0.2.1';

/**
 * Puts the settings into effect. What was there before is back when the proof fails, and also when
 * nobody comes to the end of this, be it for a crash or a power cut.
 * @param prove throws where the new settings keep the owner out
 * @throws LandfallError SSH_UNPROVEN, COMMAND_FAILED
 */
export async function applySettings(
  host: Host,
  settings: Settings,
  users: readonly string[],
  prove: () => Promise<void>,
): Promise<void> {
  await changeUnderUndo(host, await undoOf(host), async () => {
    await includeSettings(host);
    await writeText(host, settingsFile, renderSettings(settings));
    await checkSshdSettings(host);
    const sentences = await overruledFor(host, settings, users);
    if (sentences.length > 0) {
      throw unproven('other settings in /etc/ssh overrule those of this server', sentences);
    }
    for (const command of await rereadingSettings(host)) await host.run('systemctl', command);
    await prove();
  });
  await confirm(host, undoName);
}

/** Permissions stay: an owner may have closed the file to others. */
async function includeSettings(host: Host): Promise<void> {
  const main = (await readText(host, mainFile)) ?? '';
  const included = withInclude(main);
  if (included === main) return;
  const mode = main === '' ? 0o644 : (await stat(host.path(mainFile))).mode & 0o7777;
  await writeText(host, mainFile, included, { mode });
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
