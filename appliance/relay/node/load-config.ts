import { readFileSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { LandfallError } from '#contract/errors.ts';
import { isMissing } from '#files/open-regular.ts';
import type { RelayConfig } from '../config.ts';
import type { KeySource } from '../open-relay.ts';
import { readConfig } from '../read-config.ts';

/** The settings and the files that they refer to. */
export interface LoadedConfig {
  readonly config: RelayConfig;
  /** PEM of additional authorities. */
  readonly ca: string | undefined;
  /** Returns undefined for a missing key: the administrator may set it later. */
  readonly keyOf: (source: KeySource) => string | undefined;
}

/**
 * Reads the settings. Called once, at startup.
 * @param path settings file, JSON
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
  throw new LandfallError('CONFIG_MISSING', `file not found: ${path}`, {
    hint: 'Set LANDFALL_RELAY_CONFIG to the settings file of the relay, and check the paths in it.',
  });
}

/** Returns undefined when the file does not exist. */
function read(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    if (isMissing(error)) return undefined;
    throw new LandfallError('FILE_ACCESS', `cannot read ${path}`, {
      hint: 'Change the owner of the file to user 65532, which runs the relay.',
      cause: error,
    });
  }
}
