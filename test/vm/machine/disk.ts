import { rm, truncate, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { execa } from 'execa';
import { commandIn } from '../../setup/vm/qemu.ts';
import { type Replayed, replay } from './write-log.ts';

const gibibyte = 2 ** 30;

/**
 * A machine's disk with a volatile write cache. While the machine is on, its writes go to an
 * overlay and, in order and with every flush, to a log. When it is off, the writes that persist are
 * applied to the raw file, and the rest is lost.
 */
export class Disk {
  readonly path: string;
  readonly #qemu: string;
  readonly #overlay: string;
  readonly #log: string;

  private constructor(folder: string, qemu: string) {
    this.#qemu = qemu;
    this.path = join(folder, 'disk.img');
    this.#overlay = join(folder, 'overlay.qcow2');
    this.#log = join(folder, 'writes.log');
  }

  /**
   * Copies an image to a disk of this size as a sparse file.
   * @param qemu the folder of `provideQemu`
   * @param size GiB
   */
  static async create(folder: string, qemu: string, image: string, size: number): Promise<Disk> {
    const disk = new Disk(folder, qemu);
    await execa('cp', ['--sparse=always', image, disk.path]);
    await truncate(disk.path, size * gibibyte);
    return disk;
  }

  /** Prepares the disk for a start of the machine. Returns its arguments of qemu. */
  async plugIn(): Promise<string[]> {
    const overlay = ['-q', '-f', 'qcow2', '-F', 'raw', '-b', this.path, this.#overlay];
    await execa(...commandIn(this.#qemu, 'usr/bin/qemu-img', ['create', ...overlay]));
    await writeFile(this.#log, '');
    // This machine itself loses no power, so flushes need not reach its disk.
    const file = `file.driver=file,file.filename=${this.#overlay}`;
    const log = `log.driver=file,log.filename=${this.#log},log.cache.no-flush=on`;
    return [
      ...['-blockdev', `driver=qcow2,node-name=overlay,discard=unmap,cache.no-flush=on,${file}`],
      ...['-blockdev', `driver=blklogwrites,node-name=disk,file=overlay,${log}`],
      // Merged requests have more segments than the log can write at once, and would fail.
      ...['-device', 'virtio-blk-pci,drive=disk,write-cache=on,request-merging=off'],
    ];
  }

  /** Detaches it from a stopped machine; see {@link replay} for the data that persists. */
  async pullOut(keep: 'flushed' | 'all'): Promise<Replayed> {
    const replayed = await replay(this.#log, this.path, keep);
    await rm(this.#overlay);
    await rm(this.#log);
    return replayed;
  }
}
