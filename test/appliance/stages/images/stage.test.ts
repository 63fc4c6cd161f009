import { existsSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { forgetSources, imagesStage } from '../../../../appliance/stages/images/stage.ts';
import { contextFor, imageOf } from '../../context.ts';
import { type Answers, TemporaryHost } from '../../temporary-host.ts';
import { pulled as comes, failed, openDockerSocket, type PullAsked } from './docker-socket.ts';

const markFile = 'var/lib/landfall/images-unsettled';
const components = ['engine', 'ui', 'gateway'] as const;
const local = (component: string) => `landfall.local/${component}:${'a'.repeat(12)}`;

/** The mark of an earlier run, of the current or an earlier boot. */
const mark = (boot: 'now' | 'before', ...images: readonly string[]) => ({
  [markFile]: JSON.stringify({ boot, images: images.map(local) }),
});

const componentOf = ({ reference }: PullAsked) =>
  /^docker\.io\/x\/([a-z]+)@/.exec(reference)?.[1] ?? '';

/**
 * Returns a server whose Docker has the images `there`, and then every pulled one. `files` exist
 * from the start.
 * @param lacks returns whether the registry is missing a component
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
  it('imports the images of a release, and syncs them to disk before the stage ends', async () => {
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

  it('marks the images as pending with the boot ID until they are synced', async () => {
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

// Regression: the retry treated a failed pull as a power cut and deleted complete images.
describe('after a failed pull', () => {
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

describe('after a killed import', () => {
  it('syncs the present images and does not import them again', async () => {
    const { host, context, pulled, markIs } = server(components, mark('now', 'ui'));
    expect(await imagesStage.check(context)).toEqual(['flush the images to disk']);
    await imagesStage.apply(context);
    expect(pulled()).toEqual([]);
    expect(host.ran).toContain('sync');
    expect(markIs()).toBeUndefined();
  });

  it('keeps the mark of present images while the others are imported', async () => {
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

// Regression: after a power cut, Docker listed images whose files contained only zeros.
describe('after a reboot before the sync', () => {
  it('imports the pending images again, although Docker lists them', async () => {
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

  it('verifies missing images too, because Docker may have damaged layers of them', async () => {
    const { context, packed } = server(['engine'], mark('before', 'ui'));
    await imagesStage.apply(context);
    expect(packed()).toEqual(['ui', 'gateway']);
  });

  it.each([
    ['of an older version without names', 'Images are being brought in.\n'],
    ['that is empty', ''],
    ['that is truncated', '{"boot":"now","imag'],
    ['with an unknown field', '{"boot":"now","images":[],"more":1}'],
  ])('imports all images after a mark %s', async (_, text) => {
    const { context, pulled, markIs } = server(components, { [markFile]: text });
    await imagesStage.apply(context);
    expect(pulled()).toEqual(components);
    expect(markIs()).toBeUndefined();
  });

  it('removes a pending image that the release no longer has', async () => {
    const { context, pulled, forgotten, markIs } = server(components, mark('before', 'lobe'));
    await imagesStage.apply(context);
    expect(forgotten()).toEqual(['lobe']);
    expect(pulled()).toEqual([]);
    expect(markIs()).toBeUndefined();
  });

  it('continues after a failure without repeating verified images', async () => {
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

  it('imports an image again if Docker had kept a damaged layer', async () => {
    const codes = [1, 0];
    const { context, pulled, forgotten } = server(components, mark('before', 'ui'), {
      'sh -c exec docker image save': () => codes.shift() ?? 1,
    });
    await imagesStage.apply(context);
    expect(pulled()).toEqual(['ui', 'ui']);
    expect(forgotten()).toEqual(['ui', 'ui']);
  });

  // Regression: the hint always named the folder of the classic store, which contains the chats.
  it.each([
    ['containerd', '[["driver-type","io.containerd.snapshotter.v1"]]', 'move /var/lib/containerd'],
    ['classic', '[["Backing Filesystem","extfs"]]', '/var/lib/docker/image and /var/lib/docker/ov'],
  ])('fails with the folder of the %s store if an image stays damaged', async (_, status, hint) => {
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
  });
});

const digest = `sha256:${'a'.repeat(64)}`;

async function removedOf(names: readonly string[]): Promise<readonly string[]> {
  const host = TemporaryHost.with(
    {},
    { 'docker image inspect': `${names.join('\n')}\n\n`, 'docker image rm --no-prune': '' },
  );
  await forgetSources(contextFor(host, { release: { images: [imageOf('engine', 1)] } }));
  return host.ran.filter((line) => !line.startsWith('docker image inspect'));
}

describe('image names from the pull', () => {
  // Regression: a name with the port of the loopback registry stayed after a killed run.
  it('removes image names from the pull, whatever their registry', async () => {
    const [loopback, hub] = ['127.0.0.1:37369/landfall/engine', 'ollama/ollama'];
    expect(await removedOf([`${loopback}@${digest}`, `${hub}@${digest}`])).toEqual([
      `docker image rm --no-prune ${loopback}@${digest}`,
      `docker image rm --no-prune ${hub}@${digest}`,
    ]);
  });

  it.each([`landfall.local/engine@${digest}`, `--force@${digest}`, 'ollama/ollama:latest', ''])(
    'do not include %j',
    async (name) => {
      expect(await removedOf([name])).toEqual([]);
    },
  );

  it('removes image names from the pull only from images that the site runs', async () => {
    const images = [imageOf('engine', 1), imageOf('lobe', 1, { optional: true })];
    const host = TemporaryHost.with({}, { 'docker image inspect': '' });
    await forgetSources(contextFor(host, { release: { images } }));
    expect(host.ran.map((line) => line.split(' ').at(-1))).toEqual([local('engine')]);
  });
});
