import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { LandfallError } from '#contract/errors.ts';
import { HttpClient } from '#http/client.ts';
import { type Reporter, silentReporter } from '../../builder/base/progress/reporter.ts';
import { newStatistics, type Statistics } from '../../builder/base/progress/statistics.ts';
import { Downloader } from '../../builder/inputs/blobs/download.ts';
import { BlobStore } from '../../builder/inputs/blobs/store.ts';
import { ModelSources } from '../../builder/inputs/models/model-sources.ts';
import { Registries } from '../../builder/inputs/registry/registries.ts';
import { openSource } from '../../builder/inputs/sources/open-source.ts';
import { OutsideFiles } from '../../builder/inputs/sources/outside-file.ts';
import type { ImageSource } from '../../builder/inputs/sources/source.ts';

export interface EquipmentWish {
  readonly mirrors?: Readonly<Record<string, readonly string[]>>;
  readonly env?: NodeJS.ProcessEnv;
  /** PEM of an additional authority. */
  readonly ca?: string | undefined;
}

/** The real components of the builder, with a separate store and no delays. */
export interface Equipment {
  readonly folder: string;
  readonly http: HttpClient;
  readonly store: BlobStore;
  readonly statistics: Statistics;
  readonly notes: string[];
  readonly models: ModelSources;
  open(image: string): ImageSource;
  /** The same components without cached state, as in the next run. */
  again(wish?: EquipmentWish): Promise<Equipment>;
  close(): Promise<void>;
}

export async function equip(wish: EquipmentWish = {}): Promise<Equipment> {
  const folder = await mkdtemp(join(tmpdir(), 'landfall-test-'));
  return equipIn(folder, wish);
}

async function equipIn(folder: string, wish: EquipmentWish): Promise<Equipment> {
  // An empty folder, so that the login of the user cannot affect a test.
  const env = { PATH: process.env.PATH, HOME: folder, ...wish.env };
  const http = new HttpClient({ env, ca: wish.ca });
  const store = await BlobStore.open(join(folder, 'store'));
  const statistics = newStatistics();
  const notes: string[] = [];
  const reporter: Reporter = { ...silentReporter, note: (text) => void notes.push(text) };
  const sleep = async () => {};
  const downloader = new Downloader({ store, reporter, statistics, sleep });
  const mirrors = new Map(Object.entries(wish.mirrors ?? {}));
  const shared = { http, store, downloader, reporter, statistics, env };
  const registries = new Registries({ ...shared, mirrors, sleep });
  const outside = new OutsideFiles(shared);
  return {
    folder,
    http,
    store,
    statistics,
    notes,
    models: new ModelSources({ registries, store, outside, statistics }),
    open: (image) => openSource(image, { ...shared, registries, baseFolder: folder }),
    again: async (next = wish) => {
      await http.close();
      return equipIn(folder, next);
    },
    close: async () => {
      await http.close();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

/** Returns the LandfallError that rejects a promise. */
export async function refusalOf(work: Promise<unknown> | (() => unknown)): Promise<LandfallError> {
  try {
    await (typeof work === 'function' ? work() : work);
  } catch (error) {
    if (error instanceof LandfallError) return error;
    throw error;
  }
  throw new Error('nothing was refused');
}

/** All texts of an error, for tests of what it must not contain. */
export function everythingIn(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const { message, stack, cause } = error;
  const rest = error instanceof LandfallError ? JSON.stringify([error.hint, error.problems]) : '';
  return [message, stack, rest, cause === undefined ? '' : everythingIn(cause)].join('\n');
}
