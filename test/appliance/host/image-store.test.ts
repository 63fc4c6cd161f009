import { describe, expect, it } from 'vitest';
import { Host } from '../../../appliance/host/host.ts';
import { dockerImageStore } from '../../../appliance/host/image-store.ts';
import { TemporaryHost } from '../temporary-host.ts';

const storeThatSays = (answer: string | number) =>
  dockerImageStore(TemporaryHost.with({}, { 'docker info': answer }));

describe('dockerImageStore', () => {
  it.each([
    ['classic', '[["Backing Filesystem","extfs"],["Supports d_type","true"]]'],
    ['containerd', '[["driver-type","io.containerd.snapshotter.v1"]]'],
  ])('detects the %s store', async (store, status) => {
    expect(await storeThatSays(status)).toBe(store);
  });

  it.each([
    ['is down', 1],
    ['hangs and is killed', 143],
    ['prints nothing', ''],
    ['is only a client', 'null'],
  ])('returns undefined if Docker %s', async (_, answer) => {
    expect(await storeThatSays(answer)).toBeUndefined();
  });

  it('does not hide a bug', async () => {
    const host = new Host('/nowhere', () => Promise.reject(new TypeError('ours')));
    await expect(dockerImageStore(host)).rejects.toThrow(TypeError);
  });
});
