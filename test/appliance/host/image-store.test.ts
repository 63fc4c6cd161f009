import { describe, expect, it } from 'vitest';
import { Host } from '../../../appliance/host/host.ts';
import { dockerImageStore } from '../../../appliance/host/image-store.ts';
import { TemporaryHost } from '../temporary-host.ts';

const storeThatSays = (answer: string | number) =>
  dockerImageStore(TemporaryHost.with({}, { 'docker info': answer }));

describe('the store of an engine', () => {
  it.each([
    ['classic', '[["Backing Filesystem","extfs"],["Supports d_type","true"]]'],
    ['containerd', '[["driver-type","io.containerd.snapshotter.v1"]]'],
  ])('is the %s one by what the engine says of it', async (store, status) => {
    expect(await storeThatSays(status)).toBe(store);
  });

  it.each([
    ['does not answer', 1],
    ['hangs, and is ended', 143],
    ['has nothing to say', ''],
    ['is a client alone', 'null'],
  ])('is none where it %s', async (_, answer) => {
    expect(await storeThatSays(answer)).toBeUndefined();
  });

  it('does not hide a fault of our own', async () => {
    const host = new Host('/nowhere', () => Promise.reject(new TypeError('ours')));
    await expect(dockerImageStore(host)).rejects.toThrow(TypeError);
  });
});
