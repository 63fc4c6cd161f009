import { existsSync } from 'node:fs';
import { quoted } from '#proxy-settings/quoted.ts';
import type { Host } from '../../host/host.ts';
import type { ManagedFile } from '../../host/service.ts';

/** Read by all fish shells. The folder exists once fish is installed. */
export const fishFolder = 'etc/fish/conf.d';
export const origin = 'Made by Landfall. `sudo landfall route off` removes it.';

/** Variables that login shells export, whether or not they use the proxy. */
interface Profile {
  readonly name: string;
  /** What the variables set, as in "set the mirror of the model hub for login shells". */
  readonly subject: string;
  readonly variables: Readonly<Record<string, string>>;
}

/** Returns the file of a profile that sh and bash read, and zsh through its block. */
export function profileFileOf(name: string): string {
  return `etc/profile.d/landfall-${name}.sh`;
}

/** Returns the files of a profile; without a text if it has no variables. */
export function profileSettings(host: Host, { name, subject, variables }: Profile): ManagedFile[] {
  // fish has `export` too.
  const lines = Object.entries(variables).map(([key, value]) => `export ${key}=${quoted(value)}\n`);
  const text = lines.length > 0 ? `# ${origin}\n${lines.join('')}` : undefined;
  const fish = existsSync(host.path(fishFolder)) ? [`${fishFolder}/landfall-${name}.fish`] : [];
  return [profileFileOf(name), ...fish].map((path) => ({
    ...{ path, sets: `${subject} for login shells`, text },
  }));
}
