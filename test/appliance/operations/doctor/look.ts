import { expect } from 'vitest';
import type { Check } from '../../../../appliance/operations/doctor/finding.ts';
import { contextFor, type Differences } from '../../context.ts';
import type { TemporaryHost } from '../../temporary-host.ts';

/** Runs a check and returns the code, the subject and the text of each finding. */
export async function look(check: Check, host: TemporaryHost, differences: Differences = {}) {
  const findings =
    check.needs === 'server'
      ? await check.run(host)
      : await check.run(contextFor(host, differences));
  return findings.map(({ code, subject, text }) => [code, subject, text.en]);
}

/** Matches a text in each language by its English. */
export function english(text: string | object) {
  return expect.objectContaining({ en: text });
}

/** The parts of `docker inspect` that a test sets. */
export interface ContainerParts {
  readonly name: string;
  readonly env?: readonly string[];
  readonly running?: boolean;
  readonly pid?: number;
  readonly oom?: boolean;
  readonly extraHosts?: readonly string[];
  readonly networks?: Readonly<Record<string, readonly string[] | null>>;
}

/** Returns answers of `docker ps` and `docker inspect` for these containers. */
export function containers(...parts: readonly ContainerParts[]) {
  const list = parts.map(
    ({ name, env, running = true, pid = 42, oom = false, extraHosts, networks = {} }) => ({
      Name: `/${name}`,
      State: { Running: running, Pid: running ? pid : 0, OOMKilled: oom },
      Config: { Env: env ?? null },
      HostConfig: { NetworkMode: 'bridge', ExtraHosts: extraHosts ?? null },
      NetworkSettings: {
        Networks: Object.fromEntries(
          Object.entries(networks).map(([network, Aliases]) => [network, { Aliases }]),
        ),
      },
    }),
  );
  return {
    'docker ps --all --quiet': parts.map((_, index) => `id${index}`).join('\n'),
    'docker inspect id': JSON.stringify(list),
  };
}
