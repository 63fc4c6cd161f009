import { cp, mkdir, readdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { execa } from 'execa';

/**
 * Mounts the disk and switches to it. Without a disk it powers off, which shows that the kernel
 * starts.
 */
const init = `#!/bin/busybox sh
/bin/busybox mount -t devtmpfs dev /dev
/bin/busybox insmod /virtio_blk.ko
tries=0
while [ ! -b /dev/vda ] && [ $tries -lt 50 ]; do /bin/busybox sleep 0.1; tries=$((tries + 1)); done
/bin/busybox mount -t ext4 /dev/vda /root || exec /bin/busybox poweroff -f
/bin/busybox umount /dev
exec /bin/busybox switch_root /root /sbin/init
`;

/**
 * Builds an initrd that only mounts a virtio disk: Debian's own probes all hardware, which is slow
 * under emulation.
 * @param root of a Debian with a kernel
 * @param qemu the folder of `provideQemu`, which has a static busybox
 */
export async function makeInitrd(root: string, qemu: string, target: string): Promise<void> {
  const folder = `${target}.d`;
  const busybox = join(qemu, 'usr/bin/busybox');
  await mkdir(join(folder, 'bin'), { recursive: true });
  for (const name of ['dev', 'root']) await mkdir(join(folder, name));
  await cp(busybox, join(folder, 'bin/busybox'));
  await writeFile(join(folder, 'init'), init, { mode: 0o755 });
  const module = await virtioBlock(root);
  const { stdout } = await execa(busybox, ['xz', '-dc', module], { encoding: 'buffer' });
  await writeFile(join(folder, 'virtio_blk.ko'), stdout);
  const pack = 'find . | "$0" cpio -o -H newc >"$1"';
  await execa('sh', ['-c', pack, busybox, target], { cwd: folder });
  await rm(folder, { recursive: true });
}

async function virtioBlock(root: string): Promise<string> {
  const modules = join(root, 'usr/lib/modules');
  const [release = ''] = await readdir(modules);
  return join(modules, release, 'kernel/drivers/block/virtio_blk.ko.xz');
}
