import { dirname } from 'node:path';
import { HttpClient, type NetworkOptions } from '#http/client.ts';
import type { Reporter } from '../base/progress/reporter.ts';
import { newStatistics, type Statistics } from '../base/progress/statistics.ts';
import { Downloader } from '../inputs/blobs/download.ts';
import { BlobStore } from '../inputs/blobs/store.ts';
import type { ResolveDeps } from '../inputs/lock/resolve.ts';
import { ModelSources } from '../inputs/models/model-sources.ts';
import { Registries } from '../inputs/registry/registries.ts';
import { openSource } from '../inputs/sources/open-source.ts';
import { OutsideFiles } from '../inputs/sources/outside-file.ts';
import type { ImageSource } from '../inputs/sources/source.ts';

interface BuildContextOptions {
  /** Folder of the blob store; default: the user's cache folder. */
  readonly store?: string | undefined;
  readonly network: NetworkOptions;
  /** Base URLs by host of a registry or of files, tried before the host itself. */
  readonly mirrors: ReadonlyMap<string, readonly string[]>;
  readonly concurrency?: number | undefined;
  readonly env: NodeJS.ProcessEnv;
  readonly reporter: Reporter;
}

/** What commands share: store, network, sources. The caller must close it. */
export interface BuildContext {
  readonly http: HttpClient;
  readonly store: BlobStore;
  readonly statistics: Statistics;
  readonly reporter: Reporter;
  readonly outside: OutsideFiles;
  readonly models: ModelSources;
  /** Opens an image source. Relative paths are resolved against the appliance's folder. */
  openSource(image: string, applianceFile: string): ImageSource;
  /** Returns what resolves the lock of an appliance. */
  lockSources(applianceFile: string): ResolveDeps;
  close(): Promise<void>;
}

/**
 * Opens the blob store and the network client.
 * @throws LandfallError FILE_ACCESS when the store cannot be created
 */
export async function openBuildContext(options: BuildContextOptions): Promise<BuildContext> {
  const { reporter, mirrors, env, concurrency } = options;
  const http = new HttpClient(options.network);
  const store = await BlobStore.open(options.store);
  const statistics = newStatistics();
  const downloader = new Downloader({ store, reporter, statistics, concurrency });
  const shared = { http, store, downloader, reporter, statistics, env, mirrors };
  const registries = new Registries(shared);
  const outside = new OutsideFiles(shared);
  const models = new ModelSources({ registries, store, outside, statistics });
  const openImage = (image: string, applianceFile: string) =>
    openSource(image, { ...shared, registries, baseFolder: dirname(applianceFile) });
  return {
    ...{ http, store, statistics, reporter, outside, models },
    openSource: openImage,
    lockSources: (applianceFile) => ({
      openSource: (image) => openImage(image, applianceFile),
      measure: (urls, sha256) => outside.measure(urls, { sha256 }),
      resolveModel: (name, manifest) => models.registry.resolve(name, manifest),
      measureGguf: (source, sha256) => models.measure(source, sha256, dirname(applianceFile)),
      reporter,
      now: new Date(),
    }),
    close: () => http.close(),
  };
}
