import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

export interface Seed {
  /** Of the machine; also tells cloud-init that it is a new one. */
  readonly name: string;
  readonly userData: Buffer | string;
  /** Text for a file in apt.conf.d: how this network reaches packages. */
  readonly aptSettings: string;
  /** cloud-init's network configuration. */
  readonly network: string;
}

/** Writes what a cloud gives to a new machine. */
export async function writeSeed(folder: string, { name, userData, aptSettings, network }: Seed) {
  const cloud = join(folder, 'nocloud');
  await mkdir(cloud);
  await writeFile(join(cloud, 'user-data'), userData);
  await writeFile(join(cloud, 'meta-data'), `instance-id: ${name}\nlocal-hostname: ${name}\n`);
  await writeFile(join(cloud, 'network-config'), network);
  await writeFile(join(folder, 'apt.conf'), aptSettings);
}

/** Where a machine finds it. */
export function seedBinds(folder: string): string[] {
  return [
    `${join(folder, 'nocloud')}:/var/lib/cloud/seed/nocloud:ro`,
    `${join(folder, 'apt.conf')}:/etc/apt/apt.conf.d/90-test-network:ro`,
  ];
}
