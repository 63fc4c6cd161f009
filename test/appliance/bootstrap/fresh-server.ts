import { chmod, mkdir, readdir, readFile, symlink, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { execa } from 'execa';
import { parse } from 'yaml';
import { type Site, siteSchema } from '#contract/site/site.ts';
import { decodeUtf8 } from '#contract/text/bytes.ts';
import type { PublicKey } from '#contract/trust/keys.ts';
import { renderUserData } from '../../../builder/deliver/user-data/render.ts';
import { makeRelease, tinyFiles } from '../../simulator/bundle.ts';
import { releaseKey } from '../../simulator/keys.ts';

/** The result of a boot. */
export interface Boot {
  readonly exitCode: number | undefined;
  /** stdout and stderr. */
  readonly output: string;
}

export interface Paste {
  readonly sources: readonly string[];
  /** SHA-256 of release.json. */
  readonly pin: string;
  /** Of a bundle in parts. */
  readonly partSize?: number;
  readonly route?: unknown;
  readonly key?: PublicKey;
}

interface BootOptions {
  readonly shell?: string;
  readonly env?: Readonly<Record<string, string>>;
  /** Kills the whole process group with SIGKILL when it resolves. */
  readonly kill?: Promise<unknown>;
}

const sshKey =
  'ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIOfVscOQjj0xpAv9TsSsXHMgaePCX3vFCzV9Y1yHldL8 owner@laptop';

/** Returns a site with required fields only, and the given ones. */
export function siteWith(fields: Record<string, unknown>): Site {
  return siteSchema.parse({ admin: { ssh_keys: [sshKey] }, ...fields });
}

/**
 * A server in a folder: the builder renders user-data, its files are written to the paths that
 * cloud-init uses, and a real shell runs the bootstrap with that folder as its root.
 */
export class FreshServer {
  readonly root: string;

  constructor(root: string) {
    this.root = root;
  }

  /** Pastes user-data: writes its files. Nothing runs. */
  async paste({ sources, pin, partSize, route, key = releaseKey.public }: Paste): Promise<void> {
    const rendered = renderUserData({
      site: siteWith({ release: sources, ...(route === undefined ? {} : { route }) }),
      releases: [{ release: makeRelease(tinyFiles), manifestSha256: pin, partSize }],
      keys: { release: [key], recovery: undefined },
    });
    for (const { path, content } of parse(decodeUtf8(rendered.bytes)).write_files) {
      await this.write(path, content);
    }
  }

  async write(path: string, content: string): Promise<void> {
    const target = join(this.root, path);
    await mkdir(dirname(target), { recursive: true });
    await writeFile(target, content);
  }

  /** Starts the bootstrap as the unit does, on an x86_64 machine. */
  async boot({ shell = 'dash', env = {}, kill }: BootOptions = {}): Promise<Boot> {
    const tools = await this.#tools();
    const run = execa(shell, [join(this.root, 'opt/landfall/boot/bootstrap')], {
      env: { PATH: `${tools}:/usr/sbin:/usr/bin:/sbin:/bin`, ...shortPauses(this.root), ...env },
      extendEnv: false,
      detached: true,
      reject: false,
      stdin: 'ignore',
      all: true,
    });
    void kill?.then(() => killGroup(run.pid));
    const { exitCode, all } = await run;
    return { exitCode, output: all };
  }

  /** Returns a file of the server, undefined if it does not exist. */
  async read(path: string): Promise<Buffer | undefined> {
    return readFile(join(this.root, path)).catch(() => undefined);
  }

  /** The one-line status file. */
  async status(): Promise<string | undefined> {
    return (await this.read('run/landfall/bootstrap'))?.toString();
  }

  /** Returns the command line of the program, one argument per line; undefined if it never ran. */
  async started(): Promise<string[] | undefined> {
    return (await this.read('started'))?.toString().trimEnd().split('\n');
  }

  /** Returns the paths of all files and links below a folder of the server. */
  async list(folder: string): Promise<string[]> {
    const entries = await readdir(join(this.root, folder), {
      recursive: true,
      withFileTypes: true,
    }).catch(() => []);
    return entries
      .filter((entry) => !entry.isDirectory())
      .map(({ parentPath, name }) => join(parentPath, name).slice(this.root.length + 1))
      .sort();
  }

  /** Replaces a program of the system with a script. */
  async replaceTool(name: string, script: string): Promise<void> {
    const path = join(await this.#tools(), name);
    await writeFile(path, `#!/bin/sh\n${script}\n`);
    await chmod(path, 0o755);
  }

  /** Creates a folder that contains only the given programs. */
  async bareTools(names: readonly string[]): Promise<string> {
    const folder = join(this.root, 'bare');
    await mkdir(folder);
    for (const name of names) {
      const { stdout } = await execa('sh', ['-c', `PATH=/usr/bin:/bin command -v ${name}`]);
      await symlink(stdout, join(folder, name));
    }
    return folder;
  }

  async #tools(): Promise<string> {
    const folder = join(this.root, 'tools');
    const made = await mkdir(folder, { recursive: true });
    if (made !== undefined) await this.replaceTool('uname', 'echo x86_64');
    return folder;
  }
}

/** Shortens the network timeouts for tests. */
function shortPauses(root: string): Record<string, string> {
  return { LANDFALL_ROOT: root, LANDFALL_STALL: '6' };
}

/** The process may have exited already. */
function killGroup(pid: number | undefined): void {
  try {
    if (pid !== undefined) process.kill(-pid, 'SIGKILL');
  } catch {}
}
