import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { modelPattern, parseModelName, shortModelName } from '#contract/bundle/model-name.ts';
import {
  atMirror,
  isMirrored,
  modelMirrorPattern,
  parseModelMirror,
} from '#contract/site/model-mirror.ts';
import { siteSchema } from '#contract/site/site.ts';

/** Returns the model name that Ollama gets for a mirror. */
function asked(model: string, mirror: string): string | undefined {
  const [name, place] = [parseModelName(model), parseModelMirror(mirror)];
  return name && place && shortModelName(atMirror(name, place));
}

describe('a mirror of models', () => {
  it.each([
    ['https://mirror.example', 'mirror.example/library/qwen3:8b'],
    ['https://mirror.example/', 'mirror.example/library/qwen3:8b'],
    ['mirror.example', 'mirror.example/library/qwen3:8b'],
    ['https://mirror.example/models', 'mirror.example/models/qwen3:8b'],
    ['http://10.0.0.2:5000/models/', '10.0.0.2:5000/models/qwen3:8b'],
  ])('%s changes the name of a model to %s', (mirror, name) => {
    expect(asked('qwen3:8b', mirror)).toBe(name);
  });

  it('keeps the namespace of a model, unless the mirror has a single one', () => {
    expect(asked('me/mine:1b', 'mirror.example')).toBe('mirror.example/me/mine:1b');
    expect(asked('me/mine:1b', 'mirror.example/all')).toBe('mirror.example/all/mine:1b');
  });

  it('uses plain HTTP only with http://', () => {
    expect(parseModelMirror('http://a.example')?.insecure).toBe(true);
    expect(parseModelMirror('https://a.example')?.insecure).toBe(false);
    expect(parseModelMirror('a.example')?.insecure).toBe(false);
  });

  it("contains the models of Ollama's registry only", () => {
    const named = (text: string) =>
      parseModelName(text) ?? { host: '', namespace: '', model: '', tag: '' };
    expect(isMirrored(named('qwen3:8b'))).toBe(true);
    expect(isMirrored(named('hf.co/me/mine:q4'))).toBe(false);
  });

  it.each([
    '',
    'https://',
    'ftp://mirror.example',
    'https://user:secret@mirror.example',
    'https://mirror.example/a/b',
    'https://mirror.example/..',
    'https://mirror.example/a.b',
    'https://mirror.example?x=1',
    'https://mirror.example:123456',
    'https://[::1]/library',
    'mirror.example\n',
    'mirror.example; reboot',
    '-mirror',
  ])('cannot be %j', (text) => {
    expect(parseModelMirror(text)).toBeUndefined();
    const site = { release: ['https://example.org/'], admin: { ssh_keys: ['ssh-ed25519 AAAA'] } };
    expect(siteSchema.safeParse({ ...site, mirrors: { models: text } }).success).toBe(false);
  });

  it('returns names that can be parsed again', () => {
    fc.assert(
      fc.property(
        fc.stringMatching(modelPattern),
        fc.stringMatching(modelMirrorPattern),
        (model, mirror) => {
          const name = asked(model, mirror) ?? '';
          expect(parseModelName(name)?.model).toBe(parseModelName(model)?.model);
        },
      ),
    );
  });
});
