import { existsSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { imagesStage } from '../../../appliance/images/stage.ts';
import { contextFor, imageOf } from '../context.ts';
import { type Answers, TemporaryHost } from '../temporary-host.ts';

const mark = 'var/lib/landfall/images-unsettled';
const engine = 'landfall.local/engine:1.0.0';
const inspect = 'docker image inspect --format {{.Id}} landfall.local/engine:1.0.0';
const save = 'sh -c exec docker image save';

/** A server whose engine has what is pulled; `files` lie there before. */
function server(answers: Answers = {}, files: Readonly<Record<string, string>> = {}) {
  let isThere = false;
  const host: TemporaryHost = TemporaryHost.with(files, {
    [inspect]: () => (isThere ? `sha256:${'a'.repeat(64)}\n` : 1),
    'docker tag': () => {
      isThere = true;
      return '';
    },
    [`docker image rm --force ${engine}`]: () => {
      isThere = false;
      return '';
    },
    ...answers,
  });
  const context = contextFor(host, { release: { images: [imageOf('engine', 1)] } });
  const did = () => host.ran.map((line) => line.split(' ').slice(0, 3).join(' '));
  return { host, context, did };
}

const pulls = (did: readonly string[]) => did.filter((line) => line === 'docker pull --quiet');

describe('the images of a release', () => {
  it('are brought in, and are on the disk before that counts as done', async () => {
    const { host, context, did } = server();
    expect(await imagesStage.check(context)).toEqual(['bring in the image of engine']);
    await imagesStage.apply(context);
    const writes = did().filter((line) => !line.startsWith('docker image inspect'));
    expect(writes.at(-1)).toBe('sync');
    expect(pulls(did())).toHaveLength(1);
    expect(existsSync(host.path(mark))).toBe(false);
    expect(await imagesStage.check(context)).toEqual([]);
    await imagesStage.prove(context);
  });

  it('are marked as unsettled while they come', async () => {
    const marked: boolean[] = [];
    const { host, context } = server({
      'docker pull': () => {
        marked.push(existsSync(host.path(mark)));
        return '';
      },
    });
    await imagesStage.apply(context);
    expect(marked).toEqual([true]);
  });

  // After a power cut the engine showed images whose programs were full of zeros, for ever.
  describe('when bringing them in was cut off', () => {
    const cut = { [mark]: '' };

    it('are not believed, though the engine shows them', async () => {
      const { context, did } = server({ [inspect]: `sha256:${'a'.repeat(64)}\n` }, cut);
      expect(await imagesStage.check(context)).toHaveLength(1);
      await imagesStage.apply(context);
      expect(did()[0]).toBe('docker image rm');
      expect(pulls(did())).toHaveLength(1);
      expect(await imagesStage.check(context)).toEqual([]);
    });

    it('are fetched once more where the engine had kept a broken layer', async () => {
      const codes = [1, 0];
      const { context, did } = server({ [save]: () => codes.shift() ?? 0 }, cut);
      await imagesStage.apply(context);
      expect(pulls(did())).toHaveLength(2);
    });

    it('are an error where that does not help, and stay unsettled', async () => {
      const { host, context } = server({ [save]: 1 }, cut);
      await expect(imagesStage.apply(context)).rejects.toMatchObject({
        code: 'IMAGE_MISMATCH',
        problems: [{ message: 'engine cannot be read' }],
      });
      expect(existsSync(host.path(mark))).toBe(true);
    });
  });
});
