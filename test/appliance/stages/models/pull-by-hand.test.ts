import { existsSync } from 'node:fs';
import { beforeEach, describe, expect, it } from 'vitest';
import { readModelName } from '../../../../appliance/stages/models/public.ts';
import { pullByHand, removeByHand } from '../../../../appliance/stages/models/pull-by-hand.ts';
import { errorOf } from '../../../setup/landfall-error.ts';
import { bundledModel, manifestOfHost, serverWith, withoutFiles } from './bundled-model.ts';
import { goesWell, SmallEngine } from './small-engine.ts';

const tiny = bundledModel('tiny:1b');
const hex = tiny.model.manifest.slice('sha256:'.length);

let engine: SmallEngine;
beforeEach(async () => {
  engine = await SmallEngine.start();
});

const server = (site: Record<string, unknown> = {}) =>
  serverWith([tiny], { site: { ports: { engine: engine.port }, ...site } });

const asked = () =>
  engine.asked
    .filter((each) => each.startsWith('POST /api/pull '))
    .map((each) => JSON.parse(each.slice('POST /api/pull '.length)).model);

describe('a model that the user names', () => {
  it('writes a model that the user names from the bundle if it is there', async () => {
    const { host, context } = server();
    await pullByHand(context, readModelName('tiny:1b'), undefined);
    expect(existsSync(host.path(manifestOfHost('tiny:1b')))).toBe(true);
    expect(asked()).toEqual([]);
  });

  it('must match the release if the release names it', async () => {
    const { host, context } = server();
    withoutFiles(host);
    engine.onPull(goesWell(engine, 'tiny:1b', 'c'.repeat(64)));
    const pulling = pullByHand(context, readModelName('library/tiny:1b'), undefined);
    await expect(pulling).rejects.toMatchObject({ code: 'MODEL_FAILED' });
    expect(engine.models.size).toBe(0);
  });

  it('may be any other model', async () => {
    const { context } = server({ mirrors: { models: 'mirror.example' } });
    engine.onPull(goesWell(engine, 'hf.co/me/mine:q4'));
    await pullByHand(context, readModelName('hf.co/me/mine:q4'), undefined);
    expect(asked()).toEqual(['hf.co/me/mine:q4']);
  });

  it('pulls a named model only from the given mirror, with the locked digest', async () => {
    const { context } = server({ mirrors: { models: 'other.example' } });
    engine.onPull(goesWell(engine, 'mirror.example:8443/library/tiny:1b', hex));
    await pullByHand(context, readModelName('tiny:1b'), 'https://mirror.example:8443/');
    expect(asked()).toEqual(['mirror.example:8443/library/tiny:1b']);
    expect([...engine.models]).toEqual([['tiny:1b', hex]]);
  });

  it('cannot name both a registry and a mirror', async () => {
    const { context } = server();
    const pulling = pullByHand(context, readModelName('hf.co/me/mine:q4'), 'mirror.example');
    await expect(pulling).rejects.toMatchObject({ code: 'USAGE' });
  });

  it.each(['ftp://mirror.example', 'https://mirror.example/a/b', 'https://u:p@mirror.example', ''])(
    'rejects a named model with the mirror %j',
    async (mirror) => {
      const { context } = server();
      const pulling = pullByHand(context, readModelName('tiny:1b'), mirror);
      await expect(pulling).rejects.toMatchObject({
        code: 'USAGE',
        hint: expect.stringContaining('https:'),
      });
    },
  );
});

describe('an invalid model name', () => {
  it.each([
    ['qwen3', 'Add a tag, such as qwen3:latest.'],
    ['https://hf.co/me/mine:q4', 'Write it without a scheme: hf.co/me/mine:q4'],
    ['qwen3:8b; reboot', 'Write it as qwen3:8b'],
    ['--help', 'Write it as qwen3:8b'],
    ['../../etc:1', 'Write it as qwen3:8b'],
  ])('%s is rejected with a corrected name', (text, hint) => {
    const error = errorOf(() => readModelName(text));
    expect(error.code).toBe('USAGE');
    expect(error.hint).toContain(hint);
  });
});

const remove = async (name: string) => {
  const { context } = serverWith([bundledModel('tiny:1b')], {
    site: { ports: { engine: engine.port } },
  });
  return await removeByHand(context, readModelName(name));
};

describe('the removal of a model by the user', () => {
  it('accepts any form of its name', async () => {
    engine.models.set('Mine:1b', 'a'.repeat(64));
    expect(await remove('library/mine:1B')).toBe(false);
    expect(engine.models.size).toBe(0);
  });

  it('returns whether the release names the model', async () => {
    engine.models.set('tiny:1b', 'a'.repeat(64));
    expect(await remove('Tiny:1b')).toBe(true);
  });

  it('lists the installed models if the model does not exist', async () => {
    engine.models.set('tiny:1b', 'a'.repeat(64));
    await expect(remove('tiny:2b')).rejects.toMatchObject({
      code: 'USAGE',
      message: 'model not found: tiny:2b',
      hint: 'Use one of: tiny:1b.',
    });
    expect(engine.models.size).toBe(1);
  });

  it('reports that no models are installed', async () => {
    await expect(remove('tiny:1b')).rejects.toMatchObject({
      hint: 'Run `sudo landfall models list`. No models are installed.',
    });
  });
});
