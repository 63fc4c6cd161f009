import { basename, dirname } from 'node:path';
import type { Release } from '#contract/bundle/release.ts';
import { LandfallError } from '#contract/errors.ts';
import { sha256Hex } from '#contract/trust/digest.ts';
import { type Reporter, silentReporter } from '../../base/progress/reporter.ts';
import { type OpenBundle, openBundle } from '../../bundle/archive/open-bundle.ts';
import { unverifiedHead } from '../../bundle/archive/unverified-head.ts';
import { shellQuoted } from '../ssh/arguments.ts';
import { lostCode, type SshConnection } from '../ssh/connection.ts';
import { lastLines, plainText } from '../ssh/printed.ts';
import type { RootShell } from '../ssh/root.ts';
import { type ByteRange, knownFiles, neededRanges } from './bundle-ranges.ts';
import type { LocalRelease } from './prepare.ts';
import { throughCuts } from './reconnect.ts';
import { beginFile, sendRanges, sizeAfter } from './send-bundle.ts';
import { installedRelease, takeSnapshot } from './server-snapshot.ts';

/** Gets the bundle, in a folder for each; only root may enter. */
const pushFolder = '/var/lib/landfall/push';
/** Runs `landfall update` on the server, so that a lost connection does not end it. */
const unit = 'landfall-push.service';

/** An update of a server, and how it talks to the user. */
interface ServerUpdate {
  readonly local: LocalRelease;
  readonly logins: ReadonlyArray<() => Promise<SshConnection>>;
  readonly reporter: Pick<Reporter, 'note' | 'transfer'>;
  /** Gets what the server would do. @throws LandfallError if the user does not agree */
  readonly approve: (course: string) => Promise<void>;
  /** Options of `landfall update`. */
  readonly options: readonly string[];
  /** Absolute path on the server; default: {@link pushFolder}. */
  readonly folder?: string;
}

/**
 * Sends the bundle to a server that is installed, and follows `landfall update` there. Files that the
 * server has are not sent. After a lost connection, it connects again and goes on.
 * @throws LandfallError SSH_…, UPDATE_FAILED, DISK_FULL, COMMAND_FAILED, BUNDLE_…
 */
export async function updateServer(first: RootShell, update: ServerUpdate): Promise<void> {
  await using bundle = await openBundle(update.local.path, silentReporter);
  const { headSize, release } = await unverifiedHead(bundle.content);
  const pushed = new PushedUpdate(update, bundle, headSize, release);
  const { logins, reporter } = update;
  const note = (text: string) => reporter.note(text);
  await throughCuts(first, { logins, note }, (root) => pushed.attempt(root));
}

/** What is known of an update across connections. */
class PushedUpdate {
  readonly #update: ServerUpdate;
  readonly #bundle: OpenBundle;
  readonly #headSize: number;
  readonly #release: Release;
  readonly #folder: string;
  #ranges: readonly ByteRange[] | undefined;
  #isApproved = false;
  #isStarted = false;
  /** Bytes of the output that were shown, and its end. */
  #shown = 0;
  #printed = '';

  constructor(update: ServerUpdate, bundle: OpenBundle, headSize: number, release: Release) {
    this.#update = update;
    this.#bundle = bundle;
    this.#headSize = headSize;
    this.#release = release;
    this.#folder = update.folder ?? pushFolder;
  }

  /** Returns undefined if the connection is lost. */
  async attempt(root: RootShell): Promise<true | undefined> {
    const isRunning = await this.#isRunning(root);
    if (!isRunning && (await this.#isInstalled(root))) {
      this.#update.reporter.note(`${this.#release.version} is installed`);
      return await this.#clean(root);
    }
    const hasEnded = this.#isStarted && (await hasFile(root, `${this.#folder}/code`));
    if (!isRunning && !hasEnded && !(await this.#sendAndStart(root))) return undefined;
    const code = await this.#follow(root);
    if (code === lostCode) return undefined;
    await this.#clean(root);
    if (code !== 0 || !(await this.#isInstalled(root))) throw this.#failed();
    return true;
  }

  async #isRunning(root: RootShell): Promise<boolean> {
    const { stdout } = await root.run(`systemctl show -P ActiveState ${unit}`);
    return ['active', 'activating', 'deactivating'].includes(stdout.trim());
  }

  async #isInstalled(root: RootShell): Promise<boolean> {
    await using snapshot = await takeSnapshot(root);
    const installed = await installedRelease(snapshot);
    const { manifestSha256 } = this.#update.local.pinned;
    return Object.values(installed?.manifests ?? {}).includes(manifestSha256);
  }

  /** Returns undefined if the connection is lost. */
  async #sendAndStart(root: RootShell): Promise<true | undefined> {
    try {
      return await this.#sendApproved(root);
    } catch (error) {
      // Without a connection, the file stays, and the next attempt continues.
      await this.#clean(root).catch(() => {});
      throw error;
    }
  }

  async #sendApproved(root: RootShell): Promise<true | undefined> {
    const { local, reporter } = this.#update;
    this.#ranges ??= neededRanges(this.#headSize, this.#release.files, await knownFiles(root));
    const path = await this.#pathFor(this.#ranges);
    const file = { bundle: this.#bundle, ranges: this.#ranges, path };
    const position = await beginFile(root, file);
    const total = sizeAfter(this.#ranges, position);
    const head = { ...file, ranges: this.#ranges.slice(0, 1) };
    if (!(await sendRanges(root, head, position, { advance: () => {} }))) return undefined;
    if (!this.#isApproved) await this.#approve(root, path);
    const transfer = reporter.transfer(`sending ${basename(local.path)}`, total);
    try {
      const rest = { ...file, ranges: this.#ranges.slice(1) };
      if (!(await sendRanges(root, rest, position, transfer))) return undefined;
    } finally {
      transfer.end();
    }
    await this.#start(root, path);
    return true;
  }

  /** Names the file by its content: the rest of an interrupted transfer belongs to the same bytes. */
  async #pathFor(ranges: readonly ByteRange[]): Promise<string> {
    const head = await this.#bundle.readAt(0, this.#headSize);
    const key = sha256Hex(Buffer.concat([head, Buffer.from(JSON.stringify(ranges))]));
    return `${this.#folder}/${key.slice(0, 16)}/${basename(this.#update.local.path)}`;
  }

  /** Lets the server verify the head, before the rest is sent. */
  async #approve(root: RootShell, path: string): Promise<void> {
    const { approve, options } = this.#update;
    const command = ['landfall', 'update', shellQuoted(path), '--dry-run', ...options].join(' ');
    const { code, stdout, stderr } = await root.run(command);
    if (code !== 0) {
      const message = `the server does not install ${basename(path)}`;
      throw new LandfallError('UPDATE_FAILED', message, {
        hint: { en: 'Nothing was changed.', zh: '没有更改任何内容。' },
        problems: lastLines(stderr),
      });
    }
    await approve(plainText(stdout));
    this.#isApproved = true;
  }

  /** The unit removes the bundle when the update has ended. */
  async #start(root: RootShell, path: string): Promise<void> {
    const command = ['landfall', 'update', shellQuoted(path), '--yes', ...this.#update.options];
    const job = `cd ${shellQuoted(this.#folder)} || exit
${command.join(' ')} >log 2>&1
code=$?
rm -rf ${shellQuoted(dirname(path))}
echo $code >code`;
    const options = `--quiet --collect --unit=${unit} --setenv=HOME=/root`;
    const clear = `cd ${shellQuoted(this.#folder)} && rm -f log code && umask 077`;
    const script = `${clear} && exec systemd-run ${options} sh -c ${shellQuoted(job)}`;
    const { code, stderr } = await root.run(script);
    if (code !== 0) {
      throw new LandfallError('COMMAND_FAILED', 'the update cannot be started on the server', {
        hint: {
          en: 'Run on the server: systemctl status landfall-push',
          zh: '在服务器上运行：systemctl status landfall-push',
        },
        problems: lastLines(stderr),
      });
    }
    this.#isStarted = true;
    this.#shown = 0;
  }

  /** Shows the output of the update until it ends. Returns its exit code. */
  async #follow(root: RootShell): Promise<number> {
    const script = `cd ${shellQuoted(this.#folder)} || exit ${lostCode}
shown=${this.#shown}
while :; do
  state=$(systemctl show -P ActiveState ${unit})
  size=$(stat -c %s log 2>/dev/null || echo 0)
  [ "$size" -le "$shown" ] || tail -c +$((shown + 1)) log | head -c $((size - shown))
  shown=$size
  case $state in
    active|activating|deactivating) sleep 1 ;;
    *) exit "$(cat code 2>/dev/null || echo ${lostCode})" ;;
  esac
done`;
    let line = '';
    const code = await root.connection.follow(root.wrap(script), (text) => {
      this.#shown += Buffer.byteLength(text);
      this.#printed = (this.#printed + text).slice(-10_000);
      const lines = (line + text).split('\n');
      line = lines.pop() ?? '';
      for (const each of lines) this.#update.reporter.note(plainText(each));
    });
    return code;
  }

  async #clean(root: RootShell): Promise<true> {
    await root.run(`rm -rf ${shellQuoted(this.#folder)}`);
    return true;
  }

  #failed(): LandfallError {
    return new LandfallError(
      'UPDATE_FAILED',
      `the server did not install ${this.#release.version}`,
      {
        hint: {
          en: 'The reason is above, and in `sudo landfall update history` on the server.',
          zh: '原因见上，以及服务器上的 `sudo landfall update history`。',
        },
        problems: lastLines(this.#printed),
      },
    );
  }
}

async function hasFile(root: RootShell, path: string): Promise<boolean> {
  return (await root.run(`[ -e ${shellQuoted(path)} ]`)).code === 0;
}
