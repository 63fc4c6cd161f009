import { accessSync, constants } from 'node:fs';
import { delimiter, join } from 'node:path';
import { Unmet } from './unmet.ts';
import type { NeedName } from './variables.ts';

/** Every program that integration tests run, and the Debian package that brings it. */
export const programPackages = {
  dockerd: 'docker.io',
  containerd: 'containerd',
  'docker-registry': 'docker-registry',
  htpasswd: 'apache2-utils',
  skopeo: 'skopeo',
  mmdebstrap: 'mmdebstrap',
  openssl: 'openssl',
  shellcheck: 'shellcheck',
  dash: 'dash',
  curl: 'curl',
  ssh: 'openssh-client',
  'ssh-keygen': 'openssh-client',
  time: 'time',
  mount: 'mount',
} as const;

export type Program = keyof typeof programPackages;

const engine: readonly Program[] = ['dockerd', 'containerd'];
const debian: readonly Program[] = ['mmdebstrap', 'mount'];
const registry: readonly Program[] = ['docker-registry'];

/** The programs that make a need, or that tests run with it. */
const programsOf: Partial<Record<NeedName, readonly Program[]>> = {
  engine,
  registry,
  registryStorage: registry,
  registryAuth: [...registry, 'htpasswd'],
  benchRegistry: registry,
  trixie: debian,
  bookworm: debian,
  browser: debian,
  hostDebian12: [...engine, ...debian],
  hostDebian13: [...engine, ...debian],
  hostUbuntuLike: [...engine, ...debian],
  pebble: debian,
  qemu: debian,
  trueHost: [...debian, 'ssh', 'ssh-keygen'],
  skopeo: ['skopeo'],
  openssl: ['openssl'],
  shellcheck: ['shellcheck'],
  dash: ['dash'],
  curl: ['curl'],
};

/** The programs that some needs take; `time` and SSH come with every one of them. */
export function programsFor(names: readonly NeedName[]): Program[] {
  const programs = names.flatMap((name) => programsOf[name] ?? []);
  return names.length > 0 ? [...new Set([...programs, ...everywhere])] : [];
}

const everywhere: readonly Program[] = ['openssl', 'curl', 'ssh', 'ssh-keygen', 'time'];

/** The path of a program, or nothing when this machine lacks it. */
export function findProgram(program: Program): string | undefined {
  // A root shell without a login often lacks the sbin folders, where daemons are.
  const folders = [...(process.env.PATH ?? '').split(delimiter), '/usr/sbin', '/sbin'];
  return folders
    .filter((folder) => folder.startsWith('/'))
    .map((folder) => join(folder, program))
    .find(isExecutable);
}

/**
 * The path of a program.
 * @throws Unmet when it is not there.
 */
export function programPath(program: Program): string {
  const path = findProgram(program);
  if (path) return path;
  throw new Unmet(
    `the program ${program} is not here (Debian package ${programPackages[program]})`,
  );
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
