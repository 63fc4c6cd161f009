import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { encodeRelease } from '#contract/bundle/release.ts';
import { LandfallError } from '#contract/errors.ts';
import { bootSettingsFile, installedMark, releasesFolder } from '#contract/server-paths.ts';
import { silentReporter } from '../../../../builder/base/progress/reporter.ts';
import { headOfBundle } from '../../../../builder/bundle/archive/unverified-head.ts';
import type { LocalRelease } from '../../../../builder/deliver/install/prepare.ts';
import { updateServer } from '../../../../builder/deliver/install/update-server.ts';
import type { SshConnection } from '../../../../builder/deliver/ssh/connection.ts';
import type { RootShell } from '../../../../builder/deliver/ssh/root.ts';
import { makeBundle, makeRelease, type SimulatedFile } from '../../../simulator/bundle.ts';
import { localShell } from '../ssh/local-shell.ts';

const size = 3_000_000;
const [kept, fresh] = [randomBytes(size), randomBytes(size)];
const files: SimulatedFile[] = [
  { path: 'blobs/kept', content: kept },
  { path: 'blobs/fresh', content: fresh },
];
const bundle = makeBundle({ files });

let folder: string;
let local: LocalRelease;
/** What the server has installed. */
let installedPin: string;
let notes: string[];
let courses: string[];
/** Bytes after which the connection is lost, one entry per transfer. */
let cuts: number[];
let sent: number;

const at = (...names: string[]) => join(folder, ...names);
const program = (name: string, script: string) => {
  writeFileSync(at('programs', name), `#!/bin/sh\n${script}\n`);
  chmodSync(at('programs', name), 0o755);
};

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'landfall-update-server-'));
  for (const name of ['programs', 'releases/1.0.0-amd64']) mkdirSync(at(name), { recursive: true });
  const before = { ...makeRelease(files.slice(0, 1)), version: '1.0.0' };
  writeFileSync(at('releases/1.0.0-amd64/release.json'), encodeRelease(before));
  writeFileSync(at('landfall-1.2.0-amd64.tar'), bundle);
  const { release, manifestSha256 } = await headOfBundle(at('landfall-1.2.0-amd64.tar'));
  local = { pinned: { release, manifestSha256 }, path: at('landfall-1.2.0-amd64.tar') };
  installedPin = 'f'.repeat(64);
  [notes, courses, cuts, sent] = [[], [], [], 0];
  program('systemctl', 'echo inactive');
  // Options end at the command.
  program('systemd-run', 'while [ "$1" != sh ]; do shift; done; exec "$@"');
  landfall(`echo installing; touch ${at('installed')}`);
});
afterEach(() => rmSync(folder, { recursive: true }));

/** Replaces `landfall update` on the server, which keeps what it gets. */
function landfall(install: string, dryRun = 'echo course'): void {
  const cases = `*--dry-run*) ${dryRun} ;; *--yes*) cp "$2" ${at('got.tar')}; ${install} ;;`;
  program('landfall', `echo "$@" >>${at('calls')}\ncase "$*" in ${cases} esac`);
}

/** A server whose commands run here, with its releases in the test folder. */
function server(): RootShell {
  const shell = localShell(at('programs'));
  const env = { PATH: `${at('programs')}:${process.env.PATH}` };
  let isUp = true;
  const connection = {
    answers: async () => isUp,
    async send(command: string, content: AsyncIterable<Uint8Array>) {
      const cut = cuts.shift() ?? Number.POSITIVE_INFINITY;
      const child = execFile('sh', ['-c', command], { env });
      const closed = new Promise<number>((resolve) =>
        child.once('close', (code) => resolve(code ?? 1)),
      );
      let count = 0;
      for await (const chunk of content) {
        child.stdin?.write(chunk.subarray(0, cut - count));
        count = Math.min(count + chunk.length, cut);
        if (count === cut) break;
      }
      sent += count;
      child.stdin?.end();
      const code = await closed;
      isUp = count < cut;
      return isUp ? { code, stdout: '', stderr: '' } : { code: 255, stdout: '', stderr: '' };
    },
    async follow(command: string, onText: (text: string) => void) {
      const { code, stdout } = await shell.run(command);
      onText(stdout);
      return code;
    },
    [Symbol.asyncDispose]: async () => {},
  } as unknown as SshConnection;
  const run = async (command: string, input?: string) => {
    if (command.includes('id -u'))
      return { code: 0, stdout: 'Welcome!\nlandfall user 0:\n', stderr: '' };
    if (command.includes('echo arch')) return { code: 0, stdout: facts(), stderr: '' };
    return await shell.run(command.replace(`/${releasesFolder}`, at('releases')), input);
  };
  Object.assign(connection, { run, destination: { host: 'server', user: 'ops' } });
  return { connection, wrap: (command) => command, run };
}

/** Prints what a snapshot reads. */
function facts(): string {
  const pin = existsSync(at('installed')) ? local.pinned.manifestSha256 : installedPin;
  const boot = { product: 'landfall', version: '1.0.0', manifests: { amd64: pin } };
  const files = {
    'etc/os-release': 'ID=debian\nVERSION_ID="13"\n',
    [bootSettingsFile]: JSON.stringify(boot),
    [installedMark]: '1.0.0\n',
  };
  const lines = Object.entries(files).map(
    ([path, text]) => `file ${path} ${Buffer.from(text).toString('base64')}`,
  );
  return ['arch x86_64', ...lines, ''].join('\n');
}

const push = (approve = async (course: string) => void courses.push(course)) =>
  updateServer(server(), {
    local,
    logins: [async () => server().connection],
    reporter: { ...silentReporter, note: (text) => void notes.push(text) },
    approve,
    options: [],
    folder: at('push'),
  });
const calls = () => readFileSync(at('calls'), 'utf8').trim().split('\n');
const got = () => readFileSync(at('got.tar'));
const hasFresh = () => got().subarray(bundle.indexOf(fresh)).subarray(0, size).equals(fresh);

describe('an update over SSH', () => {
  it('sends only what the server does not have, installs it, and removes the bundle', async () => {
    await push();
    expect(courses).toEqual(['course\n']);
    expect(calls().map((call) => call.split(' ').at(-1))).toEqual(['--dry-run', '--yes']);
    expect(notes).toEqual(['installing']);
    expect(hasFresh()).toBe(true);
    expect(got().indexOf(kept)).toBe(-1);
    expect(sent).toBeLessThan(size + 50_000);
    expect(existsSync(at('push'))).toBe(false);
  });

  it('continues where a lost connection stopped', async () => {
    // The first transfer is the head.
    cuts = [Number.POSITIVE_INFINITY, 1_200_000, 700_001];
    await push();
    expect(hasFresh()).toBe(true);
    expect(sent).toBeLessThan(size + 50_000);
    expect(courses).toHaveLength(1);
    expect(notes.filter((note) => note.includes('connection lost'))).toHaveLength(2);
  });

  it('sends nothing to a server that has this release', async () => {
    installedPin = local.pinned.manifestSha256;
    await push();
    expect(sent).toBe(0);
    expect(notes).toEqual(['1.2.0 is installed']);
  });

  it('sends the head only if the server rejects the bundle', async () => {
    landfall('', 'echo "error BUNDLE_UNTRUSTED: no trusted key" >&2; exit 6');
    await expect(push()).rejects.toMatchObject({
      code: 'UPDATE_FAILED',
      problems: [{ message: 'error BUNDLE_UNTRUSTED: no trusted key' }],
    });
    expect(sent).toBeLessThan(50_000);
    expect(existsSync(at('push'))).toBe(false);
  });

  it('removes what was sent if the user does not agree', async () => {
    const no = async () => {
      throw new LandfallError('USAGE', 'cancelled');
    };
    await expect(push(no)).rejects.toThrow('cancelled');
    expect(existsSync(at('push'))).toBe(false);
  });

  it('shows why the server did not install the release, and removes the bundle', async () => {
    landfall('echo "error UPDATE_FAILED: rolled back"; exit 11');
    await expect(push()).rejects.toMatchObject({
      code: 'UPDATE_FAILED',
      problems: [{ message: 'error UPDATE_FAILED: rolled back' }],
    });
    expect(existsSync(at('push'))).toBe(false);
  });

  it('fails if another release is installed in the end', async () => {
    landfall('echo This server has no channel.');
    await expect(push()).rejects.toMatchObject({ code: 'UPDATE_FAILED' });
  });

  it('follows an update that an earlier command started', async () => {
    mkdirSync(at('push'));
    writeFileSync(at('push/log'), 'half\n');
    const next = `echo done >>${at('push/log')}; echo 0 >${at('push/code')}; touch ${at('installed')}`;
    program(
      'systemctl',
      `[ -e ${at('push/code')} ] && exec echo inactive; echo active
[ ! -e ${at('asked')} ] || { ${next}; }; touch ${at('asked')}`,
    );
    await push();
    expect(sent).toBe(0);
    expect(notes).toEqual(['half', 'done']);
  });
});
