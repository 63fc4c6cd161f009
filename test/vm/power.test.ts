import { open, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { execa } from 'execa';
import { expect, it } from 'vitest';
import { needs } from '../integration/needs.ts';
import { commandIn } from '../setup/vm/qemu.ts';
import { workFolder } from '../simulator/work-folder.ts';
import { readWriteLog, replay } from './machine/write-log.ts';

const given = needs('qemu');

given.describe('a disk whose machine loses its power', async () => {
  const folder = await workFolder();
  const [disk, log] = [join(folder, 'disk'), join(folder, 'log')];

  /** Sends requests to an empty disk through qemu's log, then kills qemu. */
  async function dieAfter(...commands: string[]): Promise<Buffer> {
    await writeFile(disk, Buffer.alloc(1 << 20));
    await writeFile(log, '');
    const chain = `driver=blklogwrites,file.driver=file,file.filename=${disk},log.driver=file,log.filename=${log}`;
    const args = [...commands, 'abort'].flatMap((command) => ['-c', command]);
    const { signal } = await execa(
      ...commandIn(given.qemu, 'usr/bin/qemu-io', [
        '-t',
        'writeback',
        '--image-opts',
        chain,
        ...args,
      ]),
      { reject: false },
    );
    expect(signal).toBe('SIGABRT');
    await writeFile(disk, Buffer.alloc(1 << 20));
    return await readFile(log);
  }

  it('keeps flushed data, and loses later writes', async () => {
    await dieAfter('write -P 1 0 4k', 'flush', 'write -P 2 0 4k', 'write -P 3 8k 4k');
    expect(await replay(log, disk, 'flushed')).toEqual({ kept: 4096, lost: 8192 });
    const bytes = await readFile(disk);
    expect([bytes[0], bytes[4095], bytes[8192]]).toEqual([1, 1, 0]);
  });

  it('keeps everything after a regular shutdown', async () => {
    await dieAfter('write -P 1 0 4k', 'flush', 'write -P 2 0 4k', 'write -z 512 1k', 'flush');
    expect(await replay(log, disk, 'all')).toEqual({ kept: 9216, lost: 0 });
    const bytes = await readFile(disk);
    expect([bytes[511], bytes[512], bytes[1535], bytes[1536]]).toEqual([2, 0, 0, 2]);
  });

  it('ignores discarded ranges', async () => {
    await dieAfter('write -P 1 0 64k', 'discard 0 64k', 'write -P 2 4k 4k', 'flush');
    expect(await replay(log, disk, 'flushed')).toMatchObject({ lost: 0 });
    expect((await readFile(disk))[4096]).toBe(2);
  });

  it('stops at an incomplete entry', async () => {
    const whole = await dieAfter('write -P 1 0 4k', 'flush', 'write -P 2 0 4k', 'flush');
    await writeFile(log, whole.subarray(0, whole.length - 1024));
    expect(await replay(log, disk, 'flushed')).toMatchObject({ kept: 4096 });
    expect((await readFile(disk))[0]).toBe(1);
  });

  it('rejects a file that is not a write log', async () => {
    await writeFile(log, Buffer.alloc(4096));
    const file = await open(log);
    await expect(readWriteLog(file).next()).rejects.toThrow('not a write log');
    await file.close();
  });
});
