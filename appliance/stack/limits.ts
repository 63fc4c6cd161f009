import type { ComponentLimits } from '#contract/component.ts';
import { byComponent, type ServiceName, serviceNames } from '#contract/component-names.ts';
import { components } from '#contract/components.ts';

/** What of a server counts for the limits of its containers. */
export interface ServerSize {
  /** Bytes. */
  readonly memory: number;
  readonly cpus: number;
}

/** What a container may use at most. */
interface Limits {
  /** Bytes. */
  readonly memory: number;
  readonly cpus: number;
  /** Processes and threads. */
  readonly pids: number;
}

const MiB = 1024 ** 2;
/** A server with less memory is small. Bytes. */
const smallServer = 3 * 1024 * MiB;

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
export function limitsOf(server: ServerSize): Readonly<Record<ServiceName, Limits>> {
  return byComponent(serviceNames, (name): Limits => {
    const limits: ComponentLimits = components[name].limits;
    return {
      memory: Math.floor(memoryOf(limits, server) / MiB) * MiB,
      cpus: Math.min(cpusOf(limits, server), server.cpus),
      pids: limits.pids,
    };
  });
}

function memoryOf({ memory, memoryOnSmallServer }: ComponentLimits, server: ServerSize): number {
  if (memory === 'rest') {
    const host = Math.max(384 * MiB, server.memory * 0.08);
    return Math.max(smallestEngine, server.memory - host - otherComponents);
  }
  return (server.memory < smallServer ? (memoryOnSmallServer ?? memory) : memory) * MiB;
}

/** One core stays free, so that the server answers while a model thinks. */
function cpusOf({ cpus }: ComponentLimits, server: ServerSize): number {
  if (cpus !== 'rest') return cpus;
  return server.cpus > 2 ? server.cpus - 1 : server.cpus;
}
