import type { BlobStore } from '../blobs/store.ts';
import { RegistryClient, type RegistryParts } from './client.ts';
import { CredentialStore } from './credentials.ts';
import { DocumentCache } from './document-cache.ts';

interface RegistriesOptions extends Omit<RegistryParts, 'credentials' | 'documents'> {
  readonly store: BlobStore;
  /** Base URLs by registry host (`docker.io`), used before the registry. */
  readonly mirrors: ReadonlyMap<string, readonly string[]>;
  /** Environment for Docker's configuration and credential helpers. */
  readonly env: NodeJS.ProcessEnv;
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
    const mirrors = this.#mirrors.get(registry) ?? [];
    const client =
      this.#clients.get(registry) ?? new RegistryClient(registry, mirrors, this.#parts);
    this.#clients.set(registry, client);
    return client;
  }
}
