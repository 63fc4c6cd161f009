import { localName } from './destination.ts';
import type { RelayEnv } from './env.ts';
import { type Format, matchEndpoint } from './formats/format.ts';
import { ollama } from './formats/ollama.ts';
import { formats } from './formats/request-format.ts';

const namePattern = /^\/([a-z][a-z0-9-]{0,31})(\/.*)?$/;

/** Returns a path without repeated slashes and without one at its end. */
export function withoutSlashes(path: string): string {
  return path.replace(/\/{2,}/g, '/').replace(/(?<=.)\/$/, '');
}

/**
 * Returns the path that a client means whose base URL has no version, or has it twice, and which asks for
 * Ollama at the root. Other paths stay as they are.
 * @param path without repeated slashes
 */
export function completePath(path: string, { providers }: Pick<RelayEnv, 'providers'>): string {
  const [, name = '', rest = ''] = namePattern.exec(path) ?? [];
  const provider = providers.get(name);
  if (provider) return `/${name}${versioned(rest, [provider.format])}`;
  const local = providers.has(localName) ? `/${localName}` : undefined;
  if (local && (path === '/' || path.startsWith('/api/')))
    return `${local}${versioned(path, [ollama])}`;
  return versioned(path, [...Object.values(formats), ollama]);
}

function versioned(path: string, served: readonly Format[]): string {
  const isServed = (each: string) => served.some((format) => matchEndpoint(format, each));
  // The clients of Ollama ask for its root to find out whether it runs.
  if ((path === '' || path === '/') && served[0] === ollama) return '/api/version';
  if (isServed(path)) return path;
  const roots = [...served.flatMap(({ roots }) => roots), '/v1'];
  const meant = [path.replace(/^\/v1(?=\/v1\/)/, ''), ...roots.map((root) => `${root}${path}`)];
  return meant.find(isServed) ?? path;
}
