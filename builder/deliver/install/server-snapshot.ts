import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { z } from 'zod';
import type { Release } from '#contract/bundle/release.ts';
import type { Architecture } from '#contract/bundle/release-name.ts';
import { LandfallError, type Problem } from '#contract/errors.ts';
import {
  bootSettingsFile,
  installedMark,
  journalFile,
  siteFile,
  statusFile,
} from '#contract/server-paths.ts';
import type { Site } from '#contract/site/site.ts';
import { readJson } from '#contract/text/json.ts';
import type { Text } from '#contract/text/language.ts';
import { plainLine } from '#contract/text/plain-line.ts';
import { readText } from '../../../appliance/server/host/files.ts';
import { Host } from '../../../appliance/server/host/host.ts';
import type { RunCommand } from '../../../appliance/server/host/run/command.ts';
import { inspectServer, type Server } from '../../../appliance/server/host/server.ts';
import { checkFromOutside } from '../../../appliance/stages/preflight/check-from-outside.ts';
import { shellQuoted } from '../ssh/arguments.ts';
import { lastLines } from '../ssh/printed.ts';
import type { RootShell } from '../ssh/root.ts';

/** Files of the server that the checks read. */
const read = [
  'etc/os-release',
  'run/systemd/container',
  'sys/kernel/kexec_crash_size',
  'etc/docker/daemon.json',
  bootSettingsFile,
  siteFile,
  installedMark,
  journalFile,
  statusFile,
] as const;
/** Programs whose existence matters. */
const marks = [
  'usr/bin/docker',
  'snap/bin/docker',
  'usr/local/bin/k3s',
  'usr/bin/kubelet',
] as const;
const max = 1 << 20;

/** A server as it looks from this computer: its programs run there, its files were copied here. */
export interface ServerSnapshot {
  readonly host: Host;
  readonly server: Server;
  /** The programs that the bootstrap needs, and which are missing. */
  readonly missing: readonly string[];
  [Symbol.asyncDispose](): Promise<void>;
}

/** Prints one line per fact, `name value`; contents of files in base64. */
const script = `
cd /
echo arch "$(uname -m)"
echo memory "$(awk '/^MemTotal:/ {print $2 * 1024}' proc/meminfo)"
echo cpus "$(getconf _NPROCESSORS_ONLN)"
echo disk "$(df -B1 --output=avail / | tail -n 1)"
for tool in python3 openssl systemctl; do command -v "$tool" >/dev/null || echo missing "$tool"; done
for file in ${read.join(' ')}; do [ ! -r "$file" ] || echo file "$file" "$(head -c ${max} "$file" | base64 -w 0)"; done
for file in ${marks.join(' ')}; do [ ! -e "$file" ] || echo file "$file"; done
`;

/**
 * Looks at a server without changing it.
 * @throws LandfallError SSH_UNREACHABLE, SERVER_UNFIT for a system without these basic tools
 */
export async function takeSnapshot(root: RootShell): Promise<ServerSnapshot> {
  const { code, stdout } = await root.run(script);
  const facts = stdout.split('\n').map((line) => line.split(' '));
  const factOf = (name: string) => facts.find(([first]) => first === name)?.[1];
  const isLinux = code === 0 && facts.some(([name, path]) => name === 'file' && path === read[0]);
  if (!isLinux) throw unknownSystem();
  const folder = await mkdtemp(join(tmpdir(), 'landfall-server-'));
  const files = facts.filter(([name]) => name === 'file');
  for (const [, path = '', content = ''] of files) {
    // The server chooses what it prints, so a path is a name of the lists above or nothing.
    if (![...read, ...marks].some((known) => known === path)) continue;
    await mkdir(dirname(join(folder, path)), { recursive: true });
    await writeFile(join(folder, path), Buffer.from(content, 'base64'));
  }
  const server: Server = {
    ...(await inspectServer(folder)),
    arch: architectures.get(factOf('arch') ?? ''),
    memory: Number(factOf('memory')) || 0,
    cpus: Number(factOf('cpus')) || 1,
    freeDisk: Number(factOf('disk')) || 0,
  };
  return {
    host: new Host(folder, runnerOf(root)),
    server,
    missing: facts.filter(([name]) => name === 'missing').map(([, tool = '']) => tool),
    [Symbol.asyncDispose]: () => rm(folder, { recursive: true, force: true }),
  };
}

/** Architectures by their names in uname(2). */
const architectures: ReadonlyMap<string, Architecture> = new Map([
  ['x86_64', 'amd64'],
  ['aarch64', 'arm64'],
]);

/** Runs programs on the server, in the fixed environment of the appliance. */
function runnerOf(root: RootShell): RunCommand {
  return async (file, args, { accept = [], input, seconds = 120 } = {}) => {
    const command = [file, ...args].map(shellQuoted).join(' ');
    const environment = 'LC_ALL=C.UTF-8 PATH=/usr/local/sbin:/usr/sbin:/sbin:$PATH';
    const result = await root.run(`${environment} timeout ${seconds} ${command}`, input);
    if (result.code === 0 || accept.includes(result.code)) {
      return { ...result, stdout: result.stdout.replace(/\n$/, '') };
    }
    throw new LandfallError('COMMAND_FAILED', `${file} exited with code ${result.code}`, {
      problems: lastLines(result.stderr),
    });
  };
}

function unknownSystem(): LandfallError {
  return new LandfallError('SERVER_UNFIT', 'the server is not a Debian or Ubuntu system', {
    hint: {
      en: 'Choose an image of Debian 12 or 13, or Ubuntu 24.04 or 26.04, at your provider.',
      zh: '在云服务商处选择 Debian 12、13 或 Ubuntu 24.04、26.04 的镜像。',
    },
  });
}

/** How far a server is. `fresh` and `waiting` need the bundle; `pinned` may have a part of it. */
type Progress = 'fresh' | 'pinned' | 'stages' | 'installed';

const bootSchema = z.looseObject({
  product: z.string(),
  version: z.string(),
  manifests: z.record(z.string(), z.string()),
});

/**
 * Returns what boot.json says about the release that a server has installed; undefined before the end of
 * its first boot.
 */
export async function installedRelease({
  host,
}: Pick<ServerSnapshot, 'host'>): Promise<z.infer<typeof bootSchema> | undefined> {
  if ((await readText(host, installedMark)) === undefined) return undefined;
  return readJson(bootSchema, (await readText(host, bootSettingsFile)) ?? '');
}

/** Rejects a server whose first boot has not ended. @throws LandfallError SERVER_UNFIT with this hint */
export async function expectInstalled(
  snapshot: Pick<ServerSnapshot, 'host'>,
  hint: Text,
): Promise<void> {
  if (await installedRelease(snapshot)) return;
  throw new LandfallError('SERVER_UNFIT', 'the first boot of this server has not completed', {
    hint,
  });
}

/**
 * Returns how far a server is with this release.
 * @param pin SHA-256 of its release.json
 * @throws LandfallError SERVER_UNFIT for a server of another release
 */
export async function progressOf({ host }: ServerSnapshot, pin: string): Promise<Progress> {
  const has = async (path: string) => (await readText(host, path)) !== undefined;
  const boot = readJson(bootSchema, (await readText(host, bootSettingsFile)) ?? '');
  if (boot === undefined) return 'fresh';
  if (!Object.values(boot.manifests).includes(pin)) throw otherRelease(boot);
  if (await has(installedMark)) return 'installed';
  return (await has(statusFile)) ? 'stages' : 'pinned';
}

function otherRelease({ product, version }: z.infer<typeof bootSchema>): LandfallError {
  return new LandfallError(
    'SERVER_UNFIT',
    `the server is set up for another release: ${plainLine(`${product} ${version}`)}`,
    {
      hint: {
        en: 'Use the bundle of that release, or a fresh server. To update an installed server, add --update to `landfall push`. Nothing was changed.',
        zh: '使用那个版本的发布包，或全新的服务器。要更新已安装的服务器，请用 `landfall push --update`。没有更改任何内容。',
      },
    },
  );
}

/**
 * Checks a fresh server as preflight does, before anything is changed.
 * @throws LandfallError SERVER_UNFIT with every problem
 */
export async function checkServer(
  { host, server, missing }: ServerSnapshot,
  release: Release,
  site: Site,
): Promise<void> {
  const facts = { host, server, site, release, releaseFolder: '/' };
  const problems: Problem[] = [
    ...missing.map((tool) => ({
      message: `${tool} is missing on the server`,
      hint: `Install it on the server: apt-get update && apt-get install ${tool}`,
    })),
    ...(await checkFromOutside(facts)),
  ];
  if (problems.length === 0) return;
  throw new LandfallError('SERVER_UNFIT', 'this server does not meet the requirements', {
    hint: {
      en: 'Fix the problems above, or use another server. Nothing was changed.',
      zh: '解决上面的问题，或换一台服务器。没有更改任何内容。',
    },
    problems,
  });
}
