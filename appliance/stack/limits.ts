import type { serviceNames } from '../host/download/route-environment.ts';

/** What of a server counts for the limits of its containers. */
export interface ServerSize {
  /** Bytes. */
  readonly memory: number;
  readonly cpus: number;
}

/** What a container may use at most. */
export interface Limits {
  /** Bytes. */
  readonly memory: number;
  readonly cpus: number;
  /** Processes and threads. */
  readonly pids: number;
}

export type LimitedService = (typeof serviceNames)[number];

const MiB = 1024 ** 2;
const GiB = 1024 * MiB;

/**
 * What the other components use in quiet times; their limits are ceilings, not shares. Measured: Open
 * WebUI 0.12.4 takes 790 MB after its start and 980 MB after a document of 2 MB, the others together
 * about 150 MB.
 */
const otherComponents = 1000 * MiB;
/** With less Ollama could not even start; with so little it runs an embedding model. */
const smallestEngine = 512 * MiB;

/**
 * Shares a server out. The other components have fixed limits; Ollama gets what they and the host
 * leave, because that decides which model fits (SPEC 8: UI and proxy on 2 cores and 2 GB, a
 * 7B-class model from 4 cores and 8 GB). No limit names more CPUs than the server has: Docker
 * refuses those.
 */
export function limitsOf({ memory, cpus }: ServerSize): Readonly<Record<LimitedService, Limits>> {
  const limits = (bytes: number, cores: number, pids: number): Limits => ({
    memory: Math.floor(bytes / MiB) * MiB,
    cpus: Math.min(cores, cpus),
    pids,
  });
  const host = Math.max(384 * MiB, memory * 0.08);
  return {
    // One core stays free, so that the server answers while a model thinks.
    engine: limits(
      Math.max(smallestEngine, memory - host - otherComponents),
      cpus > 2 ? cpus - 1 : cpus,
      1024,
    ),
    ui: limits(memory < 3 * GiB ? 1.25 * GiB : 2 * GiB, 2, 512),
    chat: limits(384 * MiB, 1, 128),
    lobe: limits(768 * MiB, 1, 128),
    relay: limits(192 * MiB, 1, 64),
    tinyproxy: limits(64 * MiB, 1, 128),
    gateway: limits(256 * MiB, 1, 64),
    acme: limits(256 * MiB, 1, 64),
  };
}
