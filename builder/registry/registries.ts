import type { HttpClient } from '#http/client.ts';
import type { RetryOptions } from '#http/retry.ts';
import type { Downloader } from '../blobs/download.ts';
import type { BlobStore } from '../blobs/store.ts';
import type { Reporter } from '../progress/reporter.ts';
import { RegistryClient, type RegistryParts } from './client.ts';
import { CredentialStore } from './credentials.ts';
import { DocumentCache } from './document-cache.ts';

interface RegistriesOptions {
  readonly http: HttpClient;
  readonly store: BlobStore;
  readonly downloader: Downloader;
  readonly reporter: Reporter;
  /** Base URLs by registry host (`docker.io`), used before the registry. */
  readonly mirrors: ReadonlyMap<string, readonly string[]>;
  /** Environment for Docker's configuration and credential helpers. */
  readonly env: NodeJS.ProcessEnv;
  /** Waits between attempts; replaced in tests. */
  readonly sleep?: RetryOptions['sleep'];
}

/** Provides one client per registry, so that logins, tokens and mirror failures are shared. */
export class Registries {
  readonly #parts: RegistryParts;
  readonly #mirrors: ReadonlyMap<string, readonly string[]>;
  readonly #clients = new Map<string, RegistryClient>();

  constructor({ env, store, mirrors, ...shared }: RegistriesOptions) {
    this.#mirrors = mirrors;
    this.#parts = {
      ...shared,
      credentials: new CredentialStore({ env }),
      documents: new DocumentCache(store),
    };
  }

  /**
   * Returns the client of a registry. @throws LandfallError CONFIG_INVALID for a mirror without an
   * https URL
   */
  client(registry: string): RegistryClient {
    const known = this.#clients.get(registry);
    if (known) return known;
    const client = new RegistryClient(registry, this.#mirrors.get(registry) ?? [], this.#parts);
    this.#clients.set(registry, client);
    return client;
  }
}
