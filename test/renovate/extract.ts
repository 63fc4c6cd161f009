import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

/** An entry of `customManagers` with the fields that this project uses. */
interface Manager {
  readonly customType: string;
  readonly managerFilePatterns: readonly string[];
  readonly matchStrings: readonly string[];
  readonly datasourceTemplate: string;
  readonly depNameTemplate?: string;
  readonly packageNameTemplate?: string;
  readonly depTypeTemplate: string;
}

interface Config {
  readonly customManagers: readonly Manager[];
  readonly packageRules: ReadonlyArray<Readonly<Record<string, unknown>>>;
}

export const config = JSON.parse(
  readFileSync(fileURLToPath(new URL('../../.github/renovate.json', import.meta.url)), 'utf8'),
) as Config;

/** A dependency that Renovate finds. */
export interface Dependency {
  readonly depType: string;
  readonly datasource: string;
  readonly depName: string;
  readonly packageName: string;
  readonly currentValue: string;
  readonly currentDigest?: string;
}

/**
 * Returns what Renovate extracts from a file, as its regex manager with the strategy `any` does
 * (lib/modules/manager/custom/regex): each pattern with the flag `g`, then the templates.
 */
export function extract(path: string, text: string): Dependency[] {
  return config.customManagers
    .filter(({ managerFilePatterns }) =>
      managerFilePatterns.some((pattern) => new RegExp(pattern.slice(1, -1)).test(path)),
    )
    .flatMap((manager) => manager.matchStrings.flatMap((match) => found(manager, match, text)));
}

function found(manager: Manager, match: string, text: string): Dependency[] {
  return [...text.matchAll(new RegExp(match, 'g'))].map(({ groups = {} }) => {
    const { currentValue = '', currentDigest } = groups;
    const depName = manager.depNameTemplate ?? groups.depName ?? '';
    const template = manager.packageNameTemplate ?? '{{{depName}}}';
    return {
      depType: manager.depTypeTemplate,
      datasource: manager.datasourceTemplate,
      ...{ depName, currentValue, packageName: template.replace('{{{depName}}}', depName) },
      ...(currentDigest === undefined ? {} : { currentDigest }),
    };
  });
}
