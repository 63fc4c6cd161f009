import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

export interface Seed {
  /** Instance ID and host name; a new ID makes cloud-init treat the machine as new. */
  readonly name: string;
  readonly userData: Buffer | string;
  /** Proxy or mirror settings of this network, as text for apt.conf.d. */
  readonly aptSettings: string;
  /** cloud-init's network configuration. */
  readonly network: string;
}

/** Writes the seed that a cloud gives to a new machine. */
export async function writeSeed(folder: string, { name, userData, aptSettings, network }: Seed) {
  const cloud = join(folder, 'nocloud');
  await mkdir(cloud);
  await writeFile(join(cloud, 'user-data'), userData);
  await writeFile(join(cloud, 'meta-data'), `instance-id: ${name}\nlocal-hostname: ${name}\n`);
  await writeFile(join(cloud, 'network-config'), network);
  await writeFile(join(folder, 'apt.conf'), aptSettings);
}

/** Path of the seed on a machine. */
export function seedBinds(folder: string): string[] {
  return [
    `${join(folder, 'nocloud')}:/var/lib/cloud/seed/nocloud:ro`,
    `${join(folder, 'apt.conf')}:/etc/apt/apt.conf.d/90-test-network:ro`,
  ];
}
