import { accessSync, constants } from 'node:fs';
import { delimiter, join } from 'node:path';
import { Unmet } from '../unmet.ts';
import type { NeedName } from '../variables.ts';

/** Programs of the integration tests, with their Debian packages. */
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
  zsh: 'zsh',
  fish: 'fish',
  proxychains4: 'proxychains4',
  curl: 'curl',
  ssh: 'openssh-client',
  'ssh-keygen': 'openssh-client',
  sshd: 'openssh-server',
  pip3: 'python3-pip',
  gpg: 'gnupg',
  haproxy: 'haproxy',
  busybox: 'busybox',
  knotd: 'knot',
  unbound: 'unbound',
  time: 'time',
  mount: 'mount',
} as const;

export type Program = keyof typeof programPackages;

const engine: readonly Program[] = ['dockerd', 'containerd'];
const debian: readonly Program[] = ['mmdebstrap', 'mount'];
const registry: readonly Program[] = ['docker-registry'];

/** Programs that a dependency is built with, or that tests use with it. */
const programsOf: Partial<Record<NeedName, readonly Program[]>> = {
  engine,
  registry,
  registryStorage: registry,
  registryAuth: [...registry, 'htpasswd'],
  benchRegistry: registry,
  serverBundle: registry,
  trixie: debian,
  bookworm: debian,
  browser: debian,
  hostDebian12: [...engine, ...debian],
  hostDebian13: [...engine, ...debian],
  hostUbuntuLike: [...engine, ...debian],
  hostResoluteLike: [...engine, ...debian],
  pebble: debian,
  qemu: debian,
  trueHost: [...debian, 'ssh', 'ssh-keygen'],
  openWebUi: [...engine, ...debian],
  ollama: [...engine, ...debian],
  skopeo: ['skopeo'],
  openssl: ['openssl'],
  shellcheck: ['shellcheck'],
  dash: ['dash'],
  zsh: ['zsh'],
  fish: ['fish'],
  proxychains4: ['proxychains4'],
  curl: ['curl'],
  sshd: ['sshd'],
  pip3: ['pip3'],
  gpg: ['gpg'],
  haproxy: ['haproxy'],
  busybox: ['busybox'],
  knotd: ['knotd'],
  unbound: ['unbound'],
};

/** Returns the programs of some dependencies; `time` and SSH are always included. */
export function programsFor(names: readonly NeedName[]): Program[] {
  const programs = names.flatMap((name) => programsOf[name] ?? []);
  return names.length > 0 ? [...new Set([...programs, ...everywhere])] : [];
}

const everywhere: readonly Program[] = ['openssl', 'curl', 'ssh', 'ssh-keygen', 'time'];

/** Returns the path of a program, or undefined if it is missing. */
export function findProgram(program: Program): string | undefined {
  // A root shell without a login often lacks the sbin folders, where daemons are.
  const folders = [...(process.env.PATH ?? '').split(delimiter), '/usr/sbin', '/sbin'];
  return folders
    .filter((folder) => folder.startsWith('/'))
    .map((folder) => join(folder, program))
    .find(isExecutable);
}

/**
 * Returns the path of a program.
 * @throws Unmet if it is missing.
 */
export function programPath(program: Program): string {
  const path = findProgram(program);
  if (path) return path;
  throw new Unmet(`${program} is missing (Debian package ${programPackages[program]})`);
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
