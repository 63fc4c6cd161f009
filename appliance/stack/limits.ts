import type { serviceNames } from '../host/route-environment.ts';

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

/** What the small parts together use in quiet times; their limits are ceilings, not shares. */
const smallParts = 768 * MiB;
/** An engine with less could not even start; with so little it answers and runs no model. */
const smallestEngine = 512 * MiB;

/**
 * Shares a server out. The small parts have fixed limits; the engine gets what they and the host
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
      Math.max(smallestEngine, memory - host - smallParts),
      cpus > 2 ? cpus - 1 : cpus,
      1024,
    ),
    ui: limits(memory < 4 * GiB ? 1 * GiB : 2 * GiB, 2, 512),
    chat: limits(384 * MiB, 1, 128),
    lobe: limits(768 * MiB, 1, 128),
    relay: limits(192 * MiB, 1, 64),
    tinyproxy: limits(64 * MiB, 1, 128),
    gateway: limits(256 * MiB, 1, 64),
    acme: limits(256 * MiB, 1, 64),
  };
}
