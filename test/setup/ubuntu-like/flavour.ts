import { chmod, copyFile, mkdir, readFile, rm, utimes, writeFile } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { execa } from 'execa';
import { cached } from '../cached.ts';
import { addPackages, addPackagesScript } from '../debian/add-packages.ts';
import { archiveRoot, unpackRoot } from '../debian/debian.ts';
import type { DebianMirror } from '../debian/debian-mirror.ts';
import type { Say } from '../say.ts';
import type { ImageFile } from './files.ts';

/** A Debian 13 that is configured like a release of Ubuntu, because Ubuntu's archive may be unreachable. */
export interface Flavour {
  readonly name: string;
  readonly description: string;
  readonly packages: readonly string[];
  readonly files: readonly ImageFile[];
  /** Programs of this machine, by their absolute path in the image. */
  readonly programs: Readonly<Record<string, string>>;
  /** Shell commands in the root folder, after packages, files and programs. */
  readonly commands: readonly string[];
}

const folders = '/usr/sbin:/usr/bin:/sbin:/bin';

/**
 * Returns the archive of the root file system of a flavour. Builds it from Debian 13's the first time.
 * @param base the archive of Debian 13's server
 * @throws Unmet
 */
export async function provideFlavour(
  flavour: Flavour,
  base: string,
  cache: string,
  mirror: () => Promise<DebianMirror>,
  say: Say,
): Promise<string> {
  const { name, description, packages, files, programs, commands } = flavour;
  const recipe = await readFile(addPackagesScript, 'utf8');
  const inputs = { base: basename(dirname(base)), packages, files, programs, commands, recipe };
  const made = await cached(cache, name, inputs, async (folder) => {
    say(name, `${description}, built once`);
    const root = join(folder, 'root');
    await mkdir(root, { recursive: true });
    await unpackRoot(base, root);
    await addPackages(root, 'trixie', packages, await mirror());
    for (const file of files) await writeImageFile(root, file);
    for (const [path, source] of Object.entries(programs)) {
      await mkdir(dirname(join(root, path)), { recursive: true });
      await copyFile(source, join(root, path));
    }
    await execa('chroot', [root, 'sh', '-ec', commands.join('\n')], { env: { PATH: folders } });
    // Prevents ldconfig and the journal catalogue from running at the first boot.
    for (const path of ['etc/.updated', 'var/.updated']) await touch(join(root, path));
    await archiveRoot(root, join(folder, archive));
    await rm(root, { recursive: true });
  });
  return join(made, archive);
}

const archive = 'server.tar';

async function writeImageFile(
  root: string,
  { path, text, mode = 0o644 }: ImageFile,
): Promise<void> {
  const target = join(root, path);
  await mkdir(dirname(target), { recursive: true });
  // A link, such as /etc/os-release, is replaced.
  await rm(target, { force: true });
  await writeFile(target, text);
  await chmod(target, mode);
}

async function touch(path: string): Promise<void> {
  const now = new Date();
  await utimes(path, now, now);
}
