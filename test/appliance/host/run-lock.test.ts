import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { isRunLocked, takeRunLock } from '../../../appliance/host/run-lock.ts';
import { TemporaryHost } from '../temporary-host.ts';

const refusal = {
  code: 'ALREADY_RUNNING',
  message: 'first-boot is already running on this server',
};

describe('a run lock', () => {
  it('cannot be taken by a second process until the first one releases it', async () => {
    const host = TemporaryHost.with({});
    const held = await takeRunLock(host, 'first-boot');
    await expect(takeRunLock(host, 'first-boot')).rejects.toMatchObject(refusal);
    await held.release();
    await (await takeRunLock(host, 'first-boot')).release();
  });

  it('can be checked by every user without taking it', async () => {
    const host = TemporaryHost.with({});
    expect(await isRunLocked(host, 'first-boot')).toBe(false);
    const held = await takeRunLock(host, 'first-boot');
    expect(await isRunLocked(host, 'first-boot')).toBe(true);
    expect(await isRunLocked(host, 'update')).toBe(false);
    await held.release();
    expect(await isRunLocked(host, 'first-boot')).toBe(false);
  });

  it('does not block another lock', async () => {
    const host = TemporaryHost.with({});
    const held = await takeRunLock(host, 'first-boot');
    await (await takeRunLock(host, 'update')).release();
    expect(await isRunLocked(host, 'first-boot')).toBe(true);
    await held.release();
  });

  it('is free after its holder was killed', async () => {
    const host = TemporaryHost.with({});
    const module = fileURLToPath(new URL('../../../appliance/host/run-lock.ts', import.meta.url));
    const script = `
      const { takeRunLock } = await import(${JSON.stringify(module)});
      const { join } = await import('node:path');
      await takeRunLock({ path: (...parts) => join(${JSON.stringify(host.root)}, ...parts) }, 'first-boot');
      console.log('held');
      setInterval(() => {}, 1000);
    `;
    const other = spawn(process.execPath, ['--input-type=module', '--eval', script], {
      stdio: ['ignore', 'pipe', 'inherit'],
      cwd: fileURLToPath(new URL('../../..', import.meta.url)),
    });
    await once(other.stdout, 'data');
    await expect(takeRunLock(host, 'first-boot')).rejects.toMatchObject(refusal);
    other.kill('SIGKILL');
    await once(other, 'exit');
    expect(existsSync(host.path('run/landfall/first-boot.sock'))).toBe(true);
    expect(await isRunLocked(host, 'first-boot')).toBe(false);
    await (await takeRunLock(host, 'first-boot')).release();
  });
});
