import type { ComponentLimits } from '../component.ts';
import { byComponent, type ServiceName, serviceNames } from '../component-names.ts';
import { components } from '../components.ts';
import { type ComponentSettings, isEnabled } from '../site/enabled.ts';
import { inLanguage } from '../text/language.ts';
import { formatTable } from '../text/table.ts';

/** The resources of a server that determine the limits of its containers. */
export interface ServerSize {
  /** Bytes. */
  readonly memory: number;
  readonly cpus: number;
  /** Requests that Ollama answers at the same time, each with a context of its own. Default: 1. */
  readonly slots?: number;
  /** Whether only Ollama and the gateway run, as on an engine node. */
  readonly engineOnly?: boolean;
}

/** Maximum resources of a container. */
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
 * Typical memory of the other components; their limits are maxima. Measured: Open WebUI 0.12.4 uses
 * 790 MB after its start and 980 MB after a document of 2 MB, and the others use about 150 MB together.
 */
const otherComponents = 1000 * MiB;
/** The gateway alone. */
const gatewayOnly = 100 * MiB;
/** Minimum to start Ollama. It is enough for an embedding model. */
const minEngine = 512 * MiB;

/**
 * Returns the limits of each component. Ollama gets the memory that the host and the other components
 * leave, because it decides which model fits (SPEC 8: UI and proxy on 2 cores and 2 GB, a 7B-class
 * model from 4 cores and 8 GB). CPU limits do not exceed the CPUs of the server: Docker rejects that.
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
    const others = server.engineOnly ? gatewayOnly : otherComponents;
    return Math.max(minEngine, server.memory - host - others);
  }
  return (server.memory < smallServer ? (memoryOnSmallServer ?? memory) : memory) * MiB;
}

/** Leaves one CPU free, so that the server stays responsive during inference. */
function cpusOf({ cpus }: ComponentLimits, server: ServerSize): number {
  if (cpus !== 'rest') return cpus;
  return server.cpus > 2 ? server.cpus - 1 : server.cpus;
}

/**
 * Maximum size of a request in MB, which are MiB here. nginx accepts 1 MB more, for the form around a
 * file. The chat UI has the same limit, or a lower one on slow servers (`document-limits.ts`).
 */
export const maxUpload = 100;

const heading = {
  en: 'Maximum resources of each container (not reserved):',
  zh: '每个容器的资源上限（不预留）：',
};

/** Formats the limits of each enabled component on a server of this size, one line per component. */
export function describeLimits(site: ComponentSettings, server: ServerSize): string {
  const limits = limitsOf(server);
  const rows = serviceNames
    .filter((name) => isEnabled(site, name))
    .map((name) => {
      const { memory, cpus, pids } = limits[name];
      const processors = inLanguage({
        en: cpus === 1 ? '1 CPU' : `${cpus} CPUs`,
        zh: `${cpus} 个 CPU`,
      });
      const processes = inLanguage({ en: `${pids} processes`, zh: `${pids} 个进程` });
      return [`    ${name}`, `${memory / MiB} MiB`, processors, processes];
    });
  const table = formatTable(rows, [{}, { align: 'right' }]);
  return `${inLanguage(heading)}\n${table}`;
}
