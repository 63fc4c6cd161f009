import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { serviceNames } from '#contract/component-names.ts';
import { LandfallError } from '#contract/errors.ts';
import { readAppliance } from '../../../../builder/inputs/config/appliance.ts';
import { driftOf, lockInputs } from '../../../../builder/inputs/lock/inputs.ts';
import { readLock } from '../../../../builder/inputs/lock/lock-file.ts';

let folder: string;
let path: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'landfall-appliance-'));
  path = join(folder, 'appliance.yaml');
});
afterEach(() => rm(folder, { recursive: true }));

const minimal = 'name: x\nversion: 1.0.0\ncomponents:\n  ui: { image: nginx:latest }\n';

async function read(text: string) {
  await writeFile(path, text);
  return readAppliance(path);
}

async function problemsOf(text: string): Promise<string[]> {
  try {
    await read(text);
    return [];
  } catch (error) {
    if (!(error instanceof LandfallError)) throw error;
    expect(error.code).toBe('CONFIG_INVALID');
    return error.problems.map(
      ({ line, column, message, hint }) =>
        `${line}:${column} ${message}${hint ? ` (${hint})` : ''}`,
    );
  }
}

describe('an appliance', () => {
  it('requires a name, a version and a component', async () => {
    expect(await read(minimal)).toMatchObject({
      platforms: ['linux/amd64', 'linux/arm64'],
      models: [],
      validity_days: 365,
      node: { version: '24.22.3' },
      compose_plugin: { version: '5.6.0' },
      components: { ui: { image: 'nginx:latest', optional: false } },
    });
  });

  it('uses the stack of Landfall by default', async () => {
    expect((await read(minimal)).compose).toMatch(/\/compose$/);
    expect((await read(`${minimal}compose: stack\n`)).compose).toBe(join(folder, 'stack'));
  });

  it('accepts moving tags, which the lock pins', async () => {
    const text = minimal.replace('nginx:latest', 'ghcr.io/open-webui/open-webui:main');
    expect((await read(text)).components.ui?.image).toBe('ghcr.io/open-webui/open-webui:main');
  });

  it.each(['qwen3:8b', 'llama3.2:latest', 'team/model:7b', 'hf.example.com/team/model:Q4_K_M'])(
    'may list the model %s',
    async (model) => {
      expect((await read(`${minimal}models: ["${model}"]\n`)).models).toEqual([{ name: model }]);
    },
  );
});

describe('a model as a GGUF file', () => {
  const models = async (text: string) => (await read(`${minimal}models:\n${text}`)).models;

  it('reads the name of a GGUF model and the path of its file', async () => {
    expect(await models('  - { name: "mine:1b", gguf: weights/mine.gguf }\n')).toEqual([
      { name: 'mine:1b', gguf: 'weights/mine.gguf' },
    ]);
  });

  it('accepts a checksum and a template', async () => {
    const sha256 = 'a'.repeat(64);
    const lines = [
      '  - qwen3:8b',
      '  - name: me/mine:1b',
      '    gguf: https://example.com/mine.gguf',
      `    sha256: ${sha256}`,
      '    template: |',
      '      {{ .System }} {{ .Prompt }}',
    ];
    expect(await models(`${lines.join('\n')}\n`)).toEqual([
      { name: 'qwen3:8b' },
      {
        name: 'me/mine:1b',
        gguf: 'https://example.com/mine.gguf',
        sha256,
        template: '{{ .System }} {{ .Prompt }}\n',
      },
    ]);
  });

  it.each([
    [
      'a template but no GGUF file',
      '{ name: "mine:1b", template: "{{ .Prompt }}" }',
      /models\[0\]\.template requires gguf/,
    ],
    [
      'a role that does not exist',
      '{ name: "mine:1b", role: vision }',
      /models\[0\]\.role must be/,
    ],
    ['no name', '{ gguf: a.gguf }', '6:5 models[0].name is missing'],
    ['a name without a tag', '{ name: mine, gguf: a.gguf }', /models\[0\]\.name must be a model/],
    ['a misspelt key', '{ name: "mine:1b", ggfu: a.gguf }', /ggfu is not a known key .*mean gguf/],
    [
      'a plain http URL',
      '{ name: "mine:1b", gguf: "http://example.com/a.gguf" }',
      /models\[0\]\.gguf must be an https URL or a path/,
    ],
    [
      'another scheme',
      '{ name: "mine:1b", gguf: "s3://bucket/a.gguf" }',
      /models\[0\]\.gguf must be an https URL or a path/,
    ],
    [
      'a URL with a login',
      '{ name: "mine:1b", gguf: "https://me:hunter2@example.com/a.gguf" }',
      /models\[0\]\.gguf must be a URL without a login/,
    ],
    [
      'a URL with a token',
      '{ name: "mine:1b", gguf: "https://example.com/a.gguf?token=hunter2" }',
      /models\[0\]\.gguf contains a URL with a secret; use a URL without credentials/,
    ],
    [
      'a checksum in capitals',
      `{ name: "mine:1b", gguf: a.gguf, sha256: ${'A'.repeat(64)} }`,
      /models\[0\]\.sha256 must be 64 lower-case hex digits/,
    ],
    [
      'an empty template',
      '{ name: "mine:1b", gguf: a.gguf, template: "" }',
      /template is too short/,
    ],
  ])('rejects %s', async (_what, model, expected) => {
    const problems = await problemsOf(`${minimal}models:\n  - ${model}\n`);
    expect(problems).toContainEqual(
      typeof expected === 'string'
        ? expect.stringContaining(expected)
        : expect.stringMatching(expected),
    );
    expect(problems.join()).not.toContain('hunter2');
  });
});

describe('validation of an appliance', () => {
  it.each([
    [
      'a misspelt key',
      `${minimal}modles: []\n`,
      '5:1 modles is not a known key (Did you mean models?)',
    ],
    [
      'a misspelt key inside',
      minimal.replace('image', 'imgae'),
      '4:9 components.ui.imgae is not a known key (Did you mean image?)',
    ],
    ['an unknown key', `${minimal}zzz: 1\n`, /zzz is not a known key \(Known keys: name, version/],
    [
      'a number for a text',
      minimal.replace('1.0.0', '1'),
      '2:10 version must be a version such as 1.2.0',
    ],
    [
      'a text for a list',
      `${minimal}models: qwen3:8b\n`,
      /5:9 models must be a list, but is a text \(Start each entry/,
    ],
    [
      'an odd version',
      minimal.replace('1.0.0', 'v1'),
      '2:10 version must be a version such as 1.2.0',
    ],
    [
      'an unsupported platform',
      `${minimal}platforms: [linux/riscv64]\n`,
      '5:13 platforms[0] must be one of: linux/amd64, linux/arm64',
    ],
    [
      'a platform without its system',
      `${minimal}platforms: [linux/arm]\n`,
      '5:13 platforms[0] must be one of: linux/amd64, linux/arm64 (Did you mean linux/arm64?)',
    ],
    [
      'a version of two numbers',
      minimal.replace('1.0.0', '1.0'),
      '2:10 version must be a version such as 1.2.0',
    ],
    [
      'a platform twice',
      `${minimal}platforms: [linux/amd64, linux/amd64]\n`,
      /platforms lists a platform twice/,
    ],
    [
      'no component',
      'name: x\nversion: 1.0.0\ncomponents: {}\n',
      /components must have at least one component/,
    ],
    [
      'a model without a size',
      `${minimal}models: [qwen3]\n`,
      /^5:10 models\[0\] must be a model with its tag, such as qwen3:8b \(The value is qwen3\.\)/,
    ],
    ['a model with a bad tag', `${minimal}models: ["qwen3:8 b"]\n`, /models\[0\] must be a model/],
    [
      'too many days',
      `${minimal}validity_days: 99999\n`,
      /validity_days is too large: at most 3650/,
    ],
    [
      'a component name in capitals',
      minimal.replace('ui:', 'UI:'),
      /components\.UI is not a valid name \(The name must be a short name in lower case/,
    ],
  ])('rejects %s', async (_what, text, expected) => {
    const problems = await problemsOf(text);
    expect(problems).toContainEqual(
      typeof expected === 'string' ? expected : expect.stringMatching(expected),
    );
  });

  it.each([
    [
      'a web page for an image',
      minimal.replace('nginx:latest', '"https://hub.docker.com/_/nginx"'),
      /^4:16 components\.ui\.image: .* is not an image name/,
    ],
    [
      'an image in capitals',
      minimal.replace('nginx:latest', 'Ollama/Ollama:0.35.1'),
      /lower case \(Use a name such as ollama\/ollama:0\.35\.1\.\)/,
    ],
    [
      'an archive without a file',
      minimal.replace('nginx:latest', '"oci-archive:"'),
      /does not name a file/,
    ],
    [
      'a version with a leading zero, which cannot be compared',
      minimal.replace('1.0.0', '01.0.0'),
      /version must be a version such as 1\.2\.0/,
    ],
    [
      'an update from the future',
      `${minimal}updates_from: 2.0.0\n`,
      /^5:15 updates_from 2\.0\.0 is newer than version 1\.0\.0/,
    ],
    ['a model twice', `${minimal}models: ["a:1b", "a:1b"]\n`, /models lists a model twice/],
    [
      'a model twice, once in full',
      `${minimal}models: ["a:1b", "registry.ollama.ai/library/A:1b"]\n`,
      /models lists a model twice/,
    ],
    [
      'a model twice, once as a file',
      `${minimal}models: ["a:1b", { name: "a:1b", gguf: a.gguf }]\n`,
      /models lists a model twice/,
    ],
    [
      'a plugin over plain http',
      `${minimal}compose_plugin: { urls: ["http://example.com/{version}/{machine}"] }\n`,
      /compose_plugin\.urls\[0\] must be an https URL/,
    ],
    [
      'one plugin for two platforms',
      `${minimal}compose_plugin: { urls: ["https://example.com/{version}"] }\n`,
      /^5:26 compose_plugin\.urls\[0\] is the same for every platform/,
    ],
    [
      'one proxy client for two platforms',
      `${minimal}clients: { sing-box: { urls: ["https://example.com/{version}"] } }\n`,
      /clients\.sing-box\.urls\[0\] is the same for every platform/,
    ],
    ['another proxy client', `${minimal}clients: { sing-box: {}, mihomo: {} }\n`, /mihomo/],
  ])('rejects %s', async (_what, text, expected) => {
    expect(await problemsOf(text)).toEqual([expect.stringMatching(expected)]);
  });

  it('accepts one plugin URL for one platform, and loopback without TLS', async () => {
    const plugin = 'compose_plugin: { urls: ["http://127.0.0.1:8080/compose"] }\n';
    expect(await problemsOf(`${minimal}platforms: [linux/amd64]\n${plugin}`)).toEqual([]);
  });

  it.each(['oci:images/nginx', 'docker-daemon:nginx:dev', 'docker-archive:a.tar:nginx:1'])(
    'accepts an image from %s',
    async (image) => {
      expect(await problemsOf(minimal.replace('nginx:latest', `"${image}"`))).toEqual([]);
    },
  );

  it('reports all problems at once', async () => {
    expect(
      await problemsOf('name: x\nversion: 1\ncomponents:\n  ui: { image: Nginx }\nmodles: []\n'),
    ).toEqual([
      '2:10 version must be a version such as 1.2.0',
      expect.stringMatching(/^4:16 components\.ui\.image: .* lower case/),
      '5:1 modles is not a known key (Did you mean models?)',
    ]);
    expect(await problemsOf('nam: x\nversion: 1\n')).toEqual([
      '1:1 name is missing (Name of the product; it is part of the bundle names.)',
      '1:1 components is missing (Components of the stack, with the image of each.)',
      '1:1 nam is not a known key (Did you mean name?)',
      '2:10 version must be a version such as 1.2.0',
    ]);
  });

  it('reports missing fields of an empty file', async () => {
    expect((await problemsOf('')).length).toBeGreaterThan(0);
    expect((await problemsOf('just a text\n'))[0]).toContain('the file must be');
  });
});

describe('the reference appliance', () => {
  const reference = fileURLToPath(
    new URL('../../../../builder/inputs/appliance.yaml', import.meta.url),
  );

  it('accepts the reference appliance', async () => {
    const appliance = await readAppliance(reference);
    expect(Object.keys(appliance.components)).toEqual(serviceNames);
  });

  it('matches its committed lock', async () => {
    const lock = await readLock(reference.replace('.yaml', '.lock.yaml'));
    if (!lock) throw new Error('the lock is missing');
    expect(driftOf(lockInputs(await readAppliance(reference)), lock)).toEqual([]);
  });
});
