import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

export interface Seed {
  /** Of the machine; also tells cloud-init that it is a new one. */
  readonly name: string;
  readonly userData: Buffer | string;
  /** Text for a file in apt.conf.d: how this network reaches packages. */
  readonly aptSettings: string;
}

/** Writes what a cloud gives to a new machine. */
export async function writeSeed(folder: string, { name, userData, aptSettings }: Seed) {
  const cloud = join(folder, 'nocloud');
  await mkdir(cloud);
  await writeFile(join(cloud, 'user-data'), userData);
  await writeFile(join(cloud, 'meta-data'), `instance-id: ${name}\nlocal-hostname: ${name}\n`);
  // The engine has set the network up, and cloud-init has no business with it.
  await writeFile(join(cloud, 'network-config'), 'version: 1\nconfig: disabled\n');
  await writeFile(join(folder, 'apt.conf'), aptSettings);
}

/** Where a machine finds it. */
export function seedBinds(folder: string): string[] {
  return [
    `${join(folder, 'nocloud')}:/var/lib/cloud/seed/nocloud:ro`,
    `${join(folder, 'apt.conf')}:/etc/apt/apt.conf.d/90-test-network:ro`,
  ];
}
