import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

export interface Seed {
  readonly name: string;
  /** User-data, as an administrator pastes it. */
  readonly userData: Buffer | string;
  /** Text for apt.conf.d: proxy or mirror settings of this cloud's network. */
  readonly aptSettings: string;
}

/**
 * Writes the seed of a new machine (cloud-init's data source NoCloud). Package settings are in the
 * cloud's own vendor data, so that user-data is unchanged.
 * @returns the arguments of qemu for a read-only drive with the seed
 */
export async function seedDrive(
  folder: string,
  { name, userData, aptSettings }: Seed,
): Promise<string[]> {
  await mkdir(folder);
  const apt = { preserve_sources_list: true, conf: aptSettings };
  await writeFile(join(folder, 'user-data'), userData);
  await writeFile(join(folder, 'meta-data'), `instance-id: ${name}\nlocal-hostname: ${name}\n`);
  await writeFile(join(folder, 'vendor-data'), `#cloud-config\n${JSON.stringify({ apt })}\n`);
  const drive = `driver=vvfat,node-name=seed,dir=${folder},label=cidata,fat-type=16,read-only=on`;
  return ['-blockdev', drive, '-device', 'virtio-blk-pci,drive=seed'];
}
