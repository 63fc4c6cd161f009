import { createHash } from 'node:crypto';
import { mkdir, open } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { execa } from 'execa';
import type { Architecture } from '#contract/bundle/release-name.ts';
import { HttpClient } from '#http/client.ts';
import { cached } from '../../setup/cached.ts';
import { checksumIn, cloudImage, type ImageName } from './cloud-images.ts';

/** Returns the path of a cloud image, which is downloaded once for each checksum. */
export async function cloudDisk(
  name: ImageName,
  arch: Architecture,
  cache: string,
): Promise<string> {
  const http = new HttpClient();
  try {
    const { url, sums, algorithm } = cloudImage(name, arch);
    const list = await http.send({ url: sums });
    const text = (await list.bytes(1024 * 1024)).toString();
    const file = url.pathname.split('/').at(-1) ?? '';
    const sum = checksumIn(text, file, algorithm);
    const downloaded = await cached(cache, `cloud-${name}-${arch}`, { sum }, async (target) => {
      await mkdir(target);
      const { body, status } = await http.send({ url });
      if (status !== 200) throw new Error(`${url.href} responded with status ${status}`);
      await using disk = await open(join(target, 'image'), 'w');
      const hash = createHash(algorithm);
      for await (const chunk of body) {
        hash.update(chunk);
        await disk.write(chunk);
      }
      if (hash.digest('hex') !== sum) throw new Error(`${url.href} does not match its checksum`);
    });
    return join(downloaded, 'image');
  } finally {
    await http.close();
  }
}

/** Creates the disk of a new server, whose content is that of an image. Returns its path. */
export async function newDisk(image: string, folder: string): Promise<string> {
  const disk = join(folder, 'disk.qcow2');
  const backing = ['-b', resolve(image), '-F', 'qcow2'];
  await execa('qemu-img', ['create', '-q', '-f', 'qcow2', ...backing, disk, '60G']);
  return disk;
}
