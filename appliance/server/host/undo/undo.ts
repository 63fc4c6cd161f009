import { stat } from 'node:fs/promises';
import { LandfallError } from '#contract/errors.ts';
import { inLanguage, type Text } from '#contract/text/language.ts';
import { translated } from '#contract/text/translated.ts';
import { readText, removeFile, writeText } from '../files.ts';
import type { Host } from '../host.ts';
import { processClock } from '../run/process.ts';
import { install, isActive, isInPlace, type Service, unitFileOf } from '../service.ts';
import { announce, retract } from './notice.ts';

/** Shell scripts that undo unconfirmed changes, one per change. */
export const undoFolder = 'var/lib/landfall/undo';
/** Time of each change, on the clock of process start times. A reboot deletes it and runs the undo. */
const momentsFolder = 'run/landfall/undo';

/** Reverts a change. */
export interface Undo {
  /** Lower-case letters and hyphens; part of the names of files and units. */
  readonly name: string;
  /**
   * Lines of sh, run as root. They use only what GNU coreutils and uutils do alike
   * (`test/integration/coreutils.test.ts`). They must be idempotent and must work early in the boot, before any
   * service runs; use `systemctl --no-block`. If a line sets `failed`, the script runs again at the
   * next boot.
   */
  readonly script: string;
  /** Time limit for the confirmation. */
  readonly seconds: number;
  /** What the administrator must confirm, such as `the change of the site`; undefined: the program confirms it. */
  readonly subject?: Text | undefined;
  /** Whether another program undoes the change after the script, and calls `announceUndone`. */
  readonly undoneLater?: boolean;
}

/**
 * Makes a change that could lock out the administrator. The change is undone immediately if it fails,
 * and automatically if it is not confirmed in time, even after a crash or a power cut.
 * @throws LandfallError what the change throws
 */
export async function changeUnderUndo(
  host: Host,
  undo: Undo,
  change: () => Promise<void>,
): Promise<void> {
  await armUndo(host, undo);
  try {
    await change();
  } catch (error) {
    // Report the original error. The next run retries a failed undo.
    await undoNow(host, undo.name).catch(() => {});
    await retract(host, undo.name);
    throw error;
  }
  await writeMoment(host, undo.name);
}

/**
 * Arms an undo before a change that could lock out the administrator. It runs after `seconds` unless
 * {@link confirm} is called first. The timer belongs to systemd, so it survives this process. After a
 * power cut the next boot runs the script.
 */
export async function armUndo(host: Host, undo: Undo): Promise<void> {
  const { name, script, seconds, subject, undoneLater } = undo;
  await installUndoUnit(host);
  await disarm(host, name);
  await writeMoment(host, name);
  const path = scriptOf(name);
  const end = new Date(Date.now() + seconds * 1000);
  const said = subject && (await announce(host, { name, subject, undoneLater }, end));
  const lines = said ? `${said.before}${script.trimEnd()}\n${said.after}` : script;
  const text = wholeScript(host, name, lines);
  await writeText(host, path, text, { mode: 0o700 });
  try {
    await host.run('systemd-run', [
      '--quiet',
      '--collect',
      `--unit=${unitOf(name)}`,
      `--on-active=${seconds}`,
      '--timer-property=AccuracySec=1s',
      '/bin/sh',
      host.path(path),
    ]);
  } catch (error) {
    await removeFile(host, path);
    await retract(host, name);
    throw error;
  }
}

/**
 * Confirms a change, so that it is not undone.
 * @throws LandfallError UNCONFIRMED if the change has already been undone
 */
export async function confirm(host: Host, name: string): Promise<void> {
  await host.succeeds('systemctl', ['stop', `${unitOf(name)}.timer`]);
  const begun = await isActive(host, `${unitOf(name)}.service`);
  if (begun || !(await unconfirmed(host)).includes(name)) {
    throw new LandfallError(
      'UNCONFIRMED',
      inLanguage({ en: `the change of ${name} was already undone`, zh: `${name} 的更改已经撤销` }),
      {
        hint: { en: 'Repeat the change and confirm it in time.', zh: '重新更改，并及时确认。' },
      },
    );
  }
  await removeFile(host, scriptOf(name));
  await removeFile(host, `${momentsFolder}/${name}`);
  await retract(host, name);
}

/** Returns the names of the changes that wait for a confirmation. */
export async function unconfirmed(host: Host): Promise<string[]> {
  const names = await host.namesIn(undoFolder);
  return names.filter((name) => name.endsWith('.sh')).map((name) => name.replace(/\.sh$/, ''));
}

/**
 * Allows one change at a time, so that it is clear what is confirmed or reverted.
 * @param what the subject of the message, such as `an earlier change of the firewall`
 * @throws LandfallError UNCONFIRMED
 */
export async function refuseUnconfirmed(host: Host, name: string, what: string): Promise<void> {
  if (!(await unconfirmed(host)).includes(name)) return;
  throw new LandfallError(
    'UNCONFIRMED',
    inLanguage({ en: `${what} is not confirmed`, zh: `${translated(what)}没有确认` }),
    {
      hint: {
        en: 'Log in again and run `sudo landfall confirm`, or wait until the change is reverted.',
        zh: '重新登录并运行 `sudo landfall confirm`，或等更改撤销。',
      },
    },
  );
}

/** Returns the time of an unconfirmed change, on the clock of {@link processClock}. */
export async function momentOfChange(host: Host, name: string): Promise<number | undefined> {
  const text = await readText(host, `${momentsFolder}/${name}`);
  return text === undefined ? undefined : Number(text);
}

/** Undoes the unconfirmed changes of an earlier run. Returns their names. */
export async function undoUnconfirmed(host: Host): Promise<string[]> {
  const names = await unconfirmed(host);
  for (const name of names) await undoNow(host, name);
  return names;
}

/** Undoes an unconfirmed change. @throws LandfallError COMMAND_FAILED */
export async function undoNow(host: Host, name: string): Promise<void> {
  await disarm(host, name);
  await host.run('/bin/sh', [host.path(scriptOf(name))]);
}

async function writeMoment(host: Host, name: string): Promise<void> {
  await writeText(host, `${momentsFolder}/${name}`, `${await processClock(host)}\n`);
}

/** Stops the timer and a running undo. The caller then runs the undo or arms it again. */
async function disarm(host: Host, name: string): Promise<void> {
  const unit = unitOf(name);
  await host.succeeds('systemctl', ['stop', `${unit}.timer`, `${unit}.service`]);
}

/**
 * Returns the complete script. It deletes itself at the end, and only on success, so it runs again
 * after a power cut or a full disk. Once started, the change can no longer be confirmed.
 */
function wholeScript(host: Host, name: string, script: string): string {
  return `#!/bin/sh
echo 'landfall: the change of ${name} was not confirmed; restoring the previous state'
rm -f ${host.path(momentsFolder, name)}
failed=
${script.trimEnd()}
sync
[ -z "$failed" ] || exit 1
rm -f ${host.path(scriptOf(name))}
`;
}

function scriptOf(name: string): string {
  return `${undoFolder}/${name}.sh`;
}

function unitOf(name: string): string {
  return `landfall-undo-${name}`;
}

/**
 * Returns lines of sh that restore a file to its current state, or delete it if it does not exist
 * now. The replacement is atomic. The lines set `failed` on an error such as a full disk. Not for
 * secrets, because the script contains the text.
 * @param path relative to the root folder, without characters that sh treats specially
 * @param mode permissions of the restored file; the current ones by default
 */
export async function restoreScript(host: Host, path: string, mode?: number): Promise<string> {
  const text = await readText(host, path);
  const target = host.path(path);
  if (text === undefined) return `rm -f ${target}\n`;
  const bits = mode ?? (await stat(target)).mode & 0o7777;
  const encoded = Buffer.from(text).toString('base64');
  const unfinished = `${target}.landfall-old`;
  return [
    `{ echo ${encoded} | base64 -d >${unfinished}; } &&`,
    // The base64 of busybox succeeds on a full disk.
    `  [ "$(wc -c <${unfinished})" -eq ${Buffer.byteLength(text)} ] &&`,
    `  chmod ${bits.toString(8)} ${unfinished} &&`,
    `  mv -f ${unfinished} ${target} ||`,
    `  { rm -f ${unfinished}; failed=yes; }`,
    '',
  ].join('\n');
}

const unitName = 'landfall-undo.service';

/**
 * Runs before the services that an undone change may affect: the firewall, the network and sshd. The
 * scripts run one after another; a failed script does not stop the others.
 */
const unitText = `[Unit]
Description=Landfall: undo unconfirmed changes
DefaultDependencies=no
ConditionDirectoryNotEmpty=/${undoFolder}
RequiresMountsFor=/${undoFolder}
Wants=network-pre.target
After=local-fs.target
Before=network-pre.target ufw.service nftables.service ssh.service ssh.socket sysinit.target
Conflicts=shutdown.target
Before=shutdown.target

[Service]
Type=oneshot
ExecStart=/bin/sh -c 'for undo in /${undoFolder}/*.sh; do /bin/sh "$undo"; done'
StandardOutput=journal+console

[Install]
WantedBy=sysinit.target
`;

/** The unit is only enabled: a start would undo the other changes that wait for a confirmation. */
const undoFile = { path: unitFileOf(unitName), text: unitText };
const undoService: Service = { files: [undoFile], units: [{ name: unitName }] };

async function installUndoUnit(host: Host): Promise<void> {
  if (await isInPlace(host, undoService)) return;
  await install(host, undoService);
  // The symbolic link that enables the unit must be on disk before the change.
  await host.run('sync', []);
}
