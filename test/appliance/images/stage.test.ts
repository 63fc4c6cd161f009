import { existsSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { imagesStage } from '../../../appliance/images/stage.ts';
import { contextFor, imageOf } from '../context.ts';
import { type Answers, TemporaryHost } from '../temporary-host.ts';
import { pulled as comes, failed, openDockerSocket, type PullAsked } from './docker-socket.ts';

const markFile = 'var/lib/landfall/images-unsettled';
const components = ['engine', 'ui', 'gateway'] as const;
const local = (component: string) => `landfall.local/${component}:1.0.0`;

/** What an earlier run left: of this start of the machine, or of one before. */
const mark = (boot: 'now' | 'before', ...images: readonly string[]) => ({
  [markFile]: JSON.stringify({ boot, images: images.map(local) }),
});

const componentOf = ({ reference }: PullAsked) =>
  /^docker\.io\/x\/([a-z]+)@/.exec(reference)?.[1] ?? '';

/**
 * A server whose engine has what is pulled, and at first the images that are `there`; `files` lie
 * there before.
 * @param lacks told of each component that is pulled: whether its registry has it not
 */
function server(
  there: readonly string[] = [],
  files: Readonly<Record<string, string>> = {},
  answers: Answers = {},
  lacks: (component: string) => boolean = () => false,
) {
  const engine = new Set(there.map(local));
  const last = (line: string) => line.split(' ').at(-1) ?? '';
  const host: TemporaryHost = TemporaryHost.with(
    { 'proc/sys/kernel/random/boot_id': 'now\n', ...files },
    {
      sync: '',
      'docker image inspect --format {{range .RepoDigests}}': '',
      'docker image rm --no-prune': '',
      'sh -c exec docker image save': 0,
      'docker image inspect --format {{.Id}}': (line) =>
        engine.has(last(line)) ? `sha256:${'a'.repeat(64)}\n` : 1,
      'docker tag': (line) => {
        engine.add(last(line));
        return '';
      },
      'docker image rm --force': (line) => {
        engine.delete(last(line));
        return '';
      },
      ...answers,
    },
  );
  const pulls = openDockerSocket(host, (response, asked) =>
    (lacks(componentOf(asked)) ? failed('manifest unknown') : comes)(response, asked),
  );
  const images = components.map((name) => imageOf(name, 1, { reference: `x/${name}:1` }));
  const context = contextFor(host, { release: { images } });
  const seen = (start: string, pattern: RegExp) => () =>
    host.ran.filter((line) => line.startsWith(start)).map((line) => pattern.exec(line)?.[1]);
  return {
    host,
    context,
    pulled: () => pulls.map(componentOf),
    forgotten: seen('docker image rm --force', /local\/([a-z]+)/),
    packed: seen('sh -c exec docker image save', /local\/([a-z]+)/),
    markIs: () =>
      existsSync(host.path(markFile))
        ? JSON.parse(readFileSync(host.path(markFile), 'utf8'))
        : undefined,
  };
}

describe('the images of a release', () => {
  it('are imported, and flushed to disk before the stage is done', async () => {
    const { host, context, pulled, packed, markIs } = server();
    expect(await imagesStage.check(context)).toEqual(
      components.map((name) => `import the image of ${name}`),
    );
    await imagesStage.apply(context);
    expect(pulled()).toEqual(components);
    expect(packed()).toEqual([]);
    const changes = host.ran.filter((line) => /^(sync|docker tag)/.test(line));
    expect(changes.map((line) => line.split(' ')[0])).toEqual(
      components.flatMap(() => ['docker', 'sync']),
    );
    expect(markIs()).toBeUndefined();
    expect(await imagesStage.check(context)).toEqual([]);
    await imagesStage.prove(context);
  });

  it('are marked as unsettled, with the start of the machine, until each is on the disk', async () => {
    const marks: unknown[] = [];
    const { context, markIs } = server(
      [],
      {},
      {
        sync: () => {
          marks.push(markIs());
          return '';
        },
      },
    );
    await imagesStage.apply(context);
    expect(marks).toEqual([
      { boot: 'now', images: components.map(local) },
      { boot: 'now', images: ['ui', 'gateway'].map(local) },
      { boot: 'now', images: [local('gateway')] },
    ]);
  });
});

// The retry took the mark of a failed pull for a power cut, and threw away what had come.
describe('when a pull failed', () => {
  it('imports only missing images, and verifies none', async () => {
    let fails = true;
    const { context, pulled, forgotten, packed, markIs } = server(
      [],
      {},
      {},
      (component) => fails && component === 'gateway',
    );
    await expect(imagesStage.apply(context)).rejects.toMatchObject({ code: 'IMAGE_NOT_FOUND' });
    expect(markIs()).toEqual({ boot: 'now', images: [local('gateway')] });
    expect(await imagesStage.check(context)).toEqual(['import the image of gateway']);
    fails = false;
    await imagesStage.apply(context);
    expect(pulled()).toEqual([...components, 'gateway']);
    expect([...forgotten(), ...packed()]).toEqual([]);
    expect(markIs()).toBeUndefined();
  });
});

describe('when bringing them in was killed', () => {
  it('what is there comes to the disk, and is not brought in again', async () => {
    const { host, context, pulled, markIs } = server(components, mark('now', 'ui'));
    expect(await imagesStage.check(context)).toEqual(['flush the images to disk']);
    await imagesStage.apply(context);
    expect(pulled()).toEqual([]);
    expect(host.ran).toContain('sync');
    expect(markIs()).toBeUndefined();
  });

  it('what is there stays marked while the rest comes', async () => {
    const marks: unknown[] = [];
    const { context, markIs } = server(['engine', 'ui'], mark('now', 'ui'), {}, () => {
      marks.push(markIs());
      return false;
    });
    await imagesStage.apply(context);
    expect(marks).toEqual([{ boot: 'now', images: ['ui', 'gateway'].map(local) }]);
    expect(markIs()).toBeUndefined();
  });
});

// After a power cut the engine showed images whose programs were full of zeros, for ever.
describe('when the machine was started anew meanwhile', () => {
  it('those that were not on the disk are not believed, though the engine shows them', async () => {
    const { context, pulled, forgotten, packed, markIs } = server(
      components,
      mark('before', 'ui', 'gateway'),
    );
    expect(await imagesStage.check(context)).toHaveLength(1);
    await imagesStage.apply(context);
    expect(forgotten()).toEqual(['ui', 'gateway']);
    expect(pulled()).toEqual(['ui', 'gateway']);
    expect(packed()).toEqual(['ui', 'gateway']);
    expect(markIs()).toBeUndefined();
    expect(await imagesStage.check(context)).toEqual([]);
  });

  it('what had not come at all is packed too: the engine may have broken layers of it', async () => {
    const { context, packed } = server(['engine'], mark('before', 'ui'));
    await imagesStage.apply(context);
    expect(packed()).toEqual(['ui', 'gateway']);
  });

  it.each([
    ['of an older version, which named nothing', 'Images are being brought in.\n'],
    ['that is empty', ''],
    ['that is cut off', '{"boot":"now","imag'],
    ['with more in it', '{"boot":"now","images":[],"more":1}'],
  ])('a mark %s may mean any image', async (_, text) => {
    const { context, pulled, markIs } = server(components, { [markFile]: text });
    await imagesStage.apply(context);
    expect(pulled()).toEqual(components);
    expect(markIs()).toBeUndefined();
  });

  it('one that the release no longer has is forgotten', async () => {
    const { context, pulled, forgotten, markIs } = server(components, mark('before', 'lobe'));
    await imagesStage.apply(context);
    expect(forgotten()).toEqual(['lobe']);
    expect(pulled()).toEqual([]);
    expect(markIs()).toBeUndefined();
  });

  it('a failure on the way does not repeat those that are whole, and believes no others', async () => {
    let fails = true;
    const { context, pulled, forgotten, packed, markIs } = server(
      components,
      mark('before', ...components),
      {},
      (component) => fails && component === 'ui',
    );
    await expect(imagesStage.apply(context)).rejects.toMatchObject({ code: 'IMAGE_NOT_FOUND' });
    expect(markIs()).toEqual({ boot: 'before', images: ['ui', 'gateway'].map(local) });
    fails = false;
    await imagesStage.apply(context);
    expect(pulled()).toEqual(['engine', 'ui', 'ui', 'gateway']);
    expect(forgotten()).toEqual([...components, 'ui', 'gateway']);
    expect(packed()).toEqual(components);
    expect(markIs()).toBeUndefined();
  });

  it('one is fetched once more where the engine had kept a broken layer', async () => {
    const codes = [1, 0];
    const { context, pulled, forgotten } = server(components, mark('before', 'ui'), {
      'sh -c exec docker image save': () => codes.shift() ?? 1,
    });
    await imagesStage.apply(context);
    expect(pulled()).toEqual(['ui', 'ui']);
    expect(forgotten()).toEqual(['ui', 'ui']);
  });

  // The folder of the classic store was named for both, with the chats in it.
  it.each([
    ['containerd', '[["driver-type","io.containerd.snapshotter.v1"]]', 'move /var/lib/containerd'],
    ['classic', '[["Backing Filesystem","extfs"]]', '/var/lib/docker/image and /var/lib/docker/ov'],
  ])(
    'what stays broken in the %s store is an error that names its folder',
    async (_, status, hint) => {
      const { context, markIs } = server(components, mark('before', 'ui'), {
        'sh -c exec docker image save': 1,
        'docker info': status,
      });
      await expect(imagesStage.apply(context)).rejects.toMatchObject({
        code: 'IMAGE_MISMATCH',
        hint: expect.stringContaining(hint),
        problems: [{ message: 'ui cannot be read' }],
      });
      expect(markIs()).toEqual({ boot: 'before', images: [local('ui')] });
    },
  );
});
