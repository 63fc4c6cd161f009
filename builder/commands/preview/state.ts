import { chmod, mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { z } from 'zod';
import { fileError } from '#files/file-error.ts';
import { stateFolder } from '../../base/files/user-folders.ts';

/** Name of the file with the ports and secrets of a preview, in its folder. */
export const stateFile = 'preview.json';

const stateSchema = z.object({
  version: z.string(),
  ports: z.object({ https: z.number(), http: z.number() }).catchall(z.number()),
  /** Names of images that were pulled for this preview. */
  pulled: z.array(z.string()),
  secrets: z.record(z.string(), z.string()),
  /** Whether all containers have been started once. */
  started: z.boolean(),
});

/** What is stored about a preview, besides the files that containers read. */
export type PreviewState = z.infer<typeof stateSchema>;

/** Returns the folder of all previews. */
function previewsFolder(env: NodeJS.ProcessEnv): string {
  return join(stateFolder(env), 'landfall', 'preview');
}

/**
 * The folder of a preview. Only the user can open it, so the files in it need no further protection:
 * containers read them as other users, through mounts of single files and folders.
 */
export class PreviewFolder {
  readonly path: string;

  constructor(env: NodeJS.ProcessEnv, name: string) {
    this.path = join(previewsFolder(env), name);
  }

  /** @throws LandfallError FILE_ACCESS, DISK_FULL */
  async write(path: string, content: string | Uint8Array, mode = 0o644): Promise<void> {
    const target = join(this.path, path);
    try {
      await this.#makeFolders(dirname(path));
      // Containers may have these files mounted, and keep the old one if it is replaced.
      await writeFile(target, content);
      // Regardless of the umask.
      await chmod(target, mode);
    } catch (error) {
      throw fileError(error, target);
    }
  }

  /** Creates a folder that every container can write to. */
  async makeShared(path: string): Promise<void> {
    await this.#makeFolders(path);
    await chmod(join(this.path, path), 0o777);
  }

  /** Only the outermost folder is closed, because containers read the others as other users. */
  async #makeFolders(path: string): Promise<void> {
    await mkdir(this.path, { recursive: true, mode: 0o700 });
    await chmod(this.path, 0o700);
    let folder = this.path;
    for (const name of path.split('/').filter((each) => each !== '.')) {
      folder = join(folder, name);
      await mkdir(folder, { recursive: true });
      await chmod(folder, 0o755);
    }
  }

  /** Returns the text of a file; undefined if it cannot be read. */
  async read(path: string): Promise<string | undefined> {
    return await readFile(join(this.path, path), 'utf8').catch(() => undefined);
  }

  /** Returns what is stored; undefined for a new or damaged preview. */
  async readState(): Promise<PreviewState | undefined> {
    try {
      return stateSchema.parse(JSON.parse((await this.read(stateFile)) ?? ''));
    } catch {
      return undefined;
    }
  }

  async writeState(state: PreviewState): Promise<void> {
    await this.write(stateFile, `${JSON.stringify(state, null, 2)}\n`, 0o600);
  }

  /** Removes the folder, or all of it but some files. */
  async remove(keep: readonly string[] = []): Promise<void> {
    try {
      for (const name of await readdir(this.path)) {
        if (!keep.includes(name)) await rm(join(this.path, name), { recursive: true });
      }
      if (keep.length === 0) await rm(this.path, { recursive: true });
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw fileError(error, this.path);
    }
  }
}

/** Returns the ports of all other previews of this user. */
export async function portsOfOthers(env: NodeJS.ProcessEnv, own: string): Promise<Set<number>> {
  const names = await readdir(previewsFolder(env)).catch(() => []);
  const states = await Promise.all(
    names.filter((name) => name !== own).map((name) => new PreviewFolder(env, name).readState()),
  );
  return new Set(states.flatMap((state) => Object.values(state?.ports ?? {})));
}
