import { readFile, stat } from 'node:fs/promises';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { StateFile } from '../../../../appliance/server/host/state-file.ts';
import { TemporaryHost } from '../../temporary-host.ts';

const path = 'var/lib/landfall/doors.json';
const schema = z.object({ open: z.array(z.string()) });

describe('a state file', () => {
  it('writes indented JSON that everyone may read, and reads it', async () => {
    const host = TemporaryHost.with({});
    const doors = new StateFile(path, schema);
    await doors.write(host, { open: ['front'] });
    const text = '{\n  "open": [\n    "front"\n  ]\n}\n';
    expect(await readFile(host.path(path), 'utf8')).toBe(text);
    expect((await stat(host.path(path))).mode & 0o777).toBe(0o644);
    expect(await doors.read(host)).toEqual({ open: ['front'] });
  });

  it('writes one line with the permissions of its options, and removes it', async () => {
    const host = TemporaryHost.with({});
    const doors = new StateFile(path, schema, { isLine: true, mode: 0o600 });
    await doors.write(host, { open: ['front'] });
    expect(await readFile(host.path(path), 'utf8')).toBe('{"open":["front"]}\n');
    expect((await stat(host.path(path))).mode & 0o777).toBe(0o600);
    await doors.remove(host);
    await doors.remove(host);
    expect(await doors.read(host)).toBeUndefined();
  });

  it('returns the initial value of a missing and of a damaged file', async () => {
    const doors = new StateFile(path, schema, { initial: { open: [] } });
    for (const files of [{}, { [path]: '{"open":' }, { [path]: '{"open":3}' }]) {
      expect(await doors.read(TemporaryHost.with(files))).toEqual({ open: [] });
    }
  });

  it('rejects a damaged file with a hint, and not a missing one', async () => {
    const doors = new StateFile(path, schema, { initial: { open: [] }, hint: 'Close all doors.' });
    expect(await doors.read(TemporaryHost.with({}))).toEqual({ open: [] });
    await expect(doors.read(TemporaryHost.with({ [path]: '{}' }))).rejects.toMatchObject({
      code: 'STATE_INVALID',
      message: `/${path} is damaged`,
      hint: 'Close all doors.',
    });
  });
});
