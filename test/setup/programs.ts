import { accessSync, constants } from 'node:fs';
import { delimiter, join } from 'node:path';
import { Unmet } from './unmet.ts';

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
