import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { LandfallError } from '#contract/errors.ts';
import {
  canonical,
  familiar,
  parseReference,
} from '../../../../builder/inputs/registry/reference.ts';

const digest = `sha256:${'0123456789abcdef'.repeat(4)}` as const;

describe('an image name', () => {
  const names: ReadonlyArray<readonly [given: string, canonical: string, familiar: string]> = [
    ['nginx', 'docker.io/library/nginx:latest', 'nginx:latest'],
    ['nginx:1.30.7-alpine', 'docker.io/library/nginx:1.30.7-alpine', 'nginx:1.30.7-alpine'],
    ['library/nginx:1', 'docker.io/library/nginx:1', 'nginx:1'],
    ['docker.io/nginx:1', 'docker.io/library/nginx:1', 'nginx:1'],
    ['index.docker.io/library/nginx:1', 'docker.io/library/nginx:1', 'nginx:1'],
    ['ollama/ollama:0.35.1', 'docker.io/ollama/ollama:0.35.1', 'ollama/ollama:0.35.1'],
    ['ghcr.io/x/y:v1', 'ghcr.io/x/y:v1', 'ghcr.io/x/y:v1'],
    [`ghcr.io/x/y:v1@${digest}`, `ghcr.io/x/y:v1@${digest}`, `ghcr.io/x/y:v1@${digest}`],
    [`nginx@${digest}`, `docker.io/library/nginx@${digest}`, `nginx@${digest}`],
    ['localhost/a', 'localhost/a:latest', 'localhost/a:latest'],
    ['localhost:5000/a/b', 'localhost:5000/a/b:latest', 'localhost:5000/a/b:latest'],
    ['localhost:5000/a/b:2', 'localhost:5000/a/b:2', 'localhost:5000/a/b:2'],
    ['127.0.0.1:5000/a:2', '127.0.0.1:5000/a:2', '127.0.0.1:5000/a:2'],
    ['[::1]:5000/a:2', '[::1]:5000/a:2', '[::1]:5000/a:2'],
    ['[::1]/a:2', '[::1]/a:2', '[::1]/a:2'],
    ['GHCR.io/x/y:V1', 'ghcr.io/x/y:V1', 'ghcr.io/x/y:V1'],
    ['a.b/c__d/e-f--g/h_i:_x', 'a.b/c__d/e-f--g/h_i:_x', 'a.b/c__d/e-f--g/h_i:_x'],
    ['localhost:5000', 'docker.io/library/localhost:5000', 'localhost:5000'],
    ['docker.io/a.b/c:1', 'docker.io/a.b/c:1', 'docker.io/a.b/c:1'],
    ['docker.io/localhost/c:1', 'docker.io/localhost/c:1', 'docker.io/localhost/c:1'],
    ['a.b:1', 'docker.io/library/a.b:1', 'a.b:1'],
    ['library/a/b:1', 'docker.io/library/a/b:1', 'library/a/b:1'],
    ['docker.io/library/library:1', 'docker.io/library/library:1', 'library:1'],
  ];

  it.each(names)('%s is %s in full and %s in short', (given, full, short) => {
    const reference = parseReference(given);
    expect(canonical(reference)).toBe(full);
    expect(familiar(reference)).toBe(short);
  });

  it('adds no default tag to an image name with a digest', () => {
    expect(parseReference(`nginx@${digest}`)).toEqual({
      registry: 'docker.io',
      repository: 'library/nginx',
      tag: undefined,
      digest,
    });
  });
});

describe('an invalid image name', () => {
  const refused: ReadonlyArray<readonly [given: string, reason: string]> = [
    ['', 'a path component is empty'],
    [':1', 'a path component is empty'],
    ['nginx:', '"" is not a valid tag'],
    ['nginx:-x', '"-x" is not a valid tag'],
    [`nginx:${'a'.repeat(129)}`, 'is not a valid tag'],
    ['nginx@', '"" is not a digest'],
    ['nginx@sha256:abc', 'is not a digest'],
    [`nginx@${digest.toUpperCase()}`, 'is not a digest'],
    [`nginx@sha512:${'a'.repeat(128)}`, 'only SHA-256 digests'],
    [`nginx@${digest}@${digest}`, 'is not a digest'],
    ['Nginx', 'lower case'],
    ['Ollama/ollama', 'lower case'],
    ['a//b', 'a path component is empty'],
    ['a/', 'a path component is empty'],
    ['/a', 'a path component is empty'],
    ['a/../b', 'is not a valid path component'],
    ['a/.b', 'is not a valid path component'],
    ['a___b', 'is not a valid path component'],
    ['a..b/../c', 'is not a registry host'],
    ['https://ghcr.io/x/y', 'is not a registry host'],
    ['user:secret@ghcr.io/x/y', 'is not a digest'],
    ['ghcr.io:99999/x', 'is not a registry host'],
    ['ghcr.io:/x', 'is not a registry host'],
    ['-a.b/x', 'is not a registry host'],
    ['[::1/x', 'is not a registry host'],
    ['[::1::]:5000/x', 'is not a registry host'],
    ['1.2.3.400/x', 'is not a registry host'],
    ['a b', 'is not a valid path component'],
    ['a\nb', 'is not a valid path component'],
    ['nginx?x=1', 'is not a valid path component'],
    ['0123456789abcdef'.repeat(4), 'a local image ID'],
    [`library/${'0123456789abcdef'.repeat(4)}`, 'a local image ID'],
    [`${'a'.repeat(300)}/b`, 'longer than 255'],
    ['a'.repeat(600), 'longer than 512'],
  ];

  it.each(refused)('%j is rejected: %s', (given, reason) => {
    const error = refusalOf(given);
    expect(error.code).toBe('CONFIG_INVALID');
    expect(error.message).toContain(reason);
    expect(error.hint).toMatch(/such as|Write it like/);
  });

  it('in capitals is rejected with the lower-case name', () => {
    expect(refusalOf('ghcr.io/Open-WebUI/open-webui:V1').hint).toBe(
      'Use a name such as ghcr.io/open-webui/open-webui:V1.',
    );
  });

  it('shows an invalid image name shortened and without control characters', () => {
    expect(refusalOf('a\u001b[31m').message).toContain('"a?[31m"');
    expect(refusalOf('A'.repeat(511)).message.length).toBeLessThan(200);
  });
});

describe('any text', () => {
  const component = fc.stringMatching(/^[a-z0-9]{1,6}(?:(?:\.|_|__|-{1,3})[a-z0-9]{1,6}){0,2}$/);
  const tag = fc.option(fc.stringMatching(/^\w[\w.-]{0,20}$/), { nil: undefined });
  const registry = fc.constantFrom('', 'docker.io/', 'ghcr.io/', 'localhost:5000/', '[::1]:1/');
  const name = fc
    .tuple(registry, fc.array(component, { minLength: 1, maxLength: 4 }), tag, fc.boolean())
    .map(
      ([host, path, tagged, pinned]) =>
        host + path.join('/') + (tagged ? `:${tagged}` : '') + (pinned ? `@${digest}` : ''),
    );

  it('that is a name can be formatted and parsed again, in both forms', () => {
    fc.assert(
      fc.property(name, (given) => {
        const reference = parseOrNothing(given);
        fc.pre(reference !== undefined);
        if (!reference) return;
        expect(parseReference(canonical(reference))).toEqual(reference);
        expect(parseReference(familiar(reference))).toEqual(reference);
      }),
    );
  });

  it('parses any text as an image name, or rejects it with CONFIG_INVALID', () => {
    const odd = fc.constantFrom(...'aZ0._-/:@[]%? \u0000');
    const near = fc.string({ unit: odd, maxLength: 40 });
    const broken = fc
      .tuple(name, odd, fc.nat({ max: 40 }))
      .map(([text, character, at]) => text.slice(0, at) + character + text.slice(at));
    const anything = fc.oneof(fc.string({ unit: 'binary', maxLength: 600 }), near, name, broken);
    fc.assert(
      fc.property(anything, (given) => {
        const reference = parseOrNothing(given);
        if (!reference) return;
        const url = new URL(`https://${reference.registry}/v2/${reference.repository}/`);
        expect(url.pathname).toBe(`/v2/${reference.repository}/`);
        expect(url.search + url.hash + url.username).toBe('');
      }),
    );
  });
});

function parseOrNothing(text: string) {
  try {
    return parseReference(text);
  } catch (error) {
    expect((error as LandfallError).code).toBe('CONFIG_INVALID');
    return undefined;
  }
}

function refusalOf(text: string): LandfallError {
  try {
    parseReference(text);
  } catch (error) {
    if (error instanceof LandfallError) return error;
    throw error;
  }
  throw new Error(`${text} was accepted`);
}
