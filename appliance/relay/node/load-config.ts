import { readFileSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { LandfallError } from '#contract/errors.ts';
import type { RelayConfig } from '../config.ts';
import type { KeySource } from '../open-relay.ts';
import { readConfig } from '../read-config.ts';

/** Settings, and what they refer to. */
export interface LoadedConfig {
  readonly config: RelayConfig;
  /** PEM of additional authorities. */
  readonly ca: string | undefined;
  /** A key that is not there yet is no error: its owner may set it later. */
  readonly keyOf: (source: KeySource) => string | undefined;
}

/**
 * Reads the settings and knows where the keys are. Read once, at the start.
 * @param path of the settings, JSON
 * @throws LandfallError CONFIG_MISSING, CONFIG_SYNTAX, CONFIG_INVALID, FILE_ACCESS
 */
export function loadConfig(path: string, env: NodeJS.ProcessEnv): LoadedConfig {
  const config = readConfig(demand(path), path);
  const beside = (file: string) => resolve(dirname(path), file);
  return {
    config,
    ca: config.ca_file === undefined ? undefined : demand(beside(config.ca_file)),
    keyOf: (source) => ('file' in source ? read(beside(source.file)) : env[source.variable]),
  };
}

function demand(path: string): string {
  const text = read(path);
  if (text !== undefined) return text;
  throw new LandfallError('CONFIG_MISSING', `there is no ${path}`, {
    hint: 'LANDFALL_RELAY_CONFIG names the settings of the relay, and they name the rest.',
  });
}

/** Nothing when there is no such file. */
function read(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw new LandfallError('FILE_ACCESS', `${path} cannot be read`, {
      hint: 'The relay runs as user 65532; the file has to belong to it.',
      cause: error,
    });
  }
}
