import { homedir } from 'node:os';
import { join } from 'node:path';

/** Settings from its environment (Ollama, `envconfig/config.go`). */
export interface EngineSettings {
  readonly host: string;
  readonly port: number;
  readonly models: string;
  /** Milliseconds that a model stays in memory after its last use; negative: forever. */
  readonly keepAlive: number;
  readonly noCloud: boolean;
  readonly noPrune: boolean;
  readonly contextLength: number;
  /** Requests of a model at the same time. */
  readonly slots: number;
  /** Simulated memory for models, in bytes. The original uses the memory of the machine. */
  readonly memory: number;
  /** The native module of llama.cpp. */
  readonly library: string;
}

export function readSettings(env: NodeJS.ProcessEnv): EngineSettings {
  const { host, port } = address(trimmed(env.OLLAMA_HOST) || '127.0.0.1');
  return {
    host,
    port,
    models: trimmed(env.OLLAMA_MODELS) || join(env.HOME || homedir(), '.ollama', 'models'),
    keepAlive: duration(trimmed(env.OLLAMA_KEEP_ALIVE) || '5m') ?? 300_000,
    noCloud: isOn(env.OLLAMA_NO_CLOUD),
    noPrune: isOn(env.OLLAMA_NOPRUNE),
    contextLength: Number(trimmed(env.OLLAMA_CONTEXT_LENGTH)) || 512,
    slots: Number(trimmed(env.OLLAMA_NUM_PARALLEL)) || 1,
    memory: Number(trimmed(env.LANDFALL_ENGINE_MEMORY)) || Number.POSITIVE_INFINITY,
    library: env.LANDFALL_LLAMA || '/usr/lib/ollama/index.node',
  };
}

/**
 * Parses a Go duration, or a number of seconds, to milliseconds.
 * @returns undefined for other values
 */
export function duration(value: string | number): number | undefined {
  if (typeof value === 'number') return value * 1000;
  if (/^-?\d+$/.test(value)) return Number(value) * 1000;
  const whole = /^(-)?((?:\d+(?:\.\d+)?(?:ms|s|m|h))+)$/.exec(value);
  if (!whole) return undefined;
  const parts = [...(whole[2] ?? '').matchAll(/([\d.]+)(ms|s|m|h)/g)];
  const sum = parts.reduce((total, [, count, unit]) => total + Number(count) * unitOf(unit), 0);
  return whole[1] ? -sum : sum;
}

function unitOf(unit: string | undefined): number {
  return { ms: 1, s: 1000, m: 60_000, h: 3_600_000 }[unit ?? ''] ?? 0;
}

/** `0.0.0.0`, `:11434`, `http://host:1`, `[::]:11434`. */
function address(text: string): { host: string; port: number } {
  const bare = text.replace(/^https?:\/\//, '').replace(/\/.*$/, '');
  const found = /^(\[[^\]]*\]|[^:]*)(?::(\d+))?$/.exec(bare);
  const host = (found?.[1] ?? '').replace(/^\[|\]$/g, '');
  return { host: host || '0.0.0.0', port: Number(found?.[2] ?? 11434) };
}

function trimmed(value: string | undefined): string {
  return (value ?? '').trim().replace(/^["']|["']$/g, '');
}

function isOn(value: string | undefined): boolean {
  return /^(1|t|true)$/i.test(trimmed(value));
}
