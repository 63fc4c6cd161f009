import { describe, expect, it } from 'vitest';
import { Host } from '../../../../appliance/server/host/host.ts';
import { dockerImageStore, imageStoreFor } from '../../../../appliance/stages/preflight/public.ts';
import { noEngine } from '../../answers.ts';
import { contextFor, type Differences } from '../../context.ts';
import { type Answers, TemporaryHost } from '../../temporary-host.ts';

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

const classic = '[["Backing Filesystem","extfs"]]';
const containerd = '[["driver-type","io.containerd.snapshotter.v1"]]';
const docker = { site: { docker: { source: 'docker' } } };

async function storeOf(
  differences: Differences = {},
  { settings, answers = noEngine }: { settings?: string; answers?: Answers } = {},
) {
  const files = settings === undefined ? {} : { 'etc/docker/daemon.json': settings };
  return await imageStoreFor(contextFor(TemporaryHost.with(files, answers), differences));
}

describe('the image store that will be used', () => {
  it('uses the classic image store on a server without Docker', async () => {
    expect(await storeOf()).toBe('classic');
    expect(await storeOf(docker)).toBe('classic');
  });

  it('uses the image store of an existing Docker, which keeps its store', async () => {
    expect(await storeOf(docker, { answers: { 'docker info': classic } })).toBe('classic');
    expect(await storeOf({}, { answers: { 'docker info': containerd } })).toBe('containerd');
  });

  it('uses the classic image store if Docker does not respond', async () => {
    expect(await storeOf({}, { answers: { 'docker info': 1 } })).toBe('classic');
    expect(await storeOf({}, { answers: { 'docker info': 'null' } })).toBe('classic');
  });

  it('uses the image store in daemon.json, which takes effect at a restart of Docker', async () => {
    const settings = (on: boolean) =>
      JSON.stringify({ features: { 'containerd-snapshotter': on } });
    const answers = { 'docker info': classic };
    expect(await storeOf({}, { settings: settings(true), answers })).toBe('containerd');
    expect(await storeOf(docker, { settings: settings(false) })).toBe('classic');
  });

  it.each(['{', '[]', '{"features":{}}', '{"features":{"containerd-snapshotter":"x"}}'])(
    'ignores the image store in an invalid daemon.json: %s',
    async (settings) => {
      expect(await storeOf({}, { settings })).toBe('classic');
    },
  );
});
