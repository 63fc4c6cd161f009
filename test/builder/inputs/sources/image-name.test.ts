import { describe, expect, it } from 'vitest';
import { parseReference } from '../../../../builder/inputs/registry/reference.ts';
import { parseImageName } from '../../../../builder/inputs/sources/image-name.ts';
import { refusalOf } from '../../../faulty-registry/equipment.ts';

const id = `sha256:${'a'.repeat(64)}`;

describe('an image name with a transport', () => {
  const registry = (text: string) => ({ transport: 'registry', reference: parseReference(text) });

  it.each([
    ['nginx:1', registry('nginx:1')],
    ['docker://nginx:1', registry('nginx:1')],
    ['localhost:5000/a:1', registry('localhost:5000/a:1')],
    ['oci/oci:1', registry('oci/oci:1')],
    ['docker-daemon:nginx', { transport: 'docker-daemon', name: 'nginx:latest' }],
    ['docker-daemon:docker.io/library/nginx:1', { transport: 'docker-daemon', name: 'nginx:1' }],
    [`docker-daemon:${id}`, { transport: 'docker-daemon', name: id }],
    ['oci:folder', { transport: 'layout', path: 'folder' }],
    ['oci:/folder:v1', { transport: 'layout', path: '/folder', tag: 'v1' }],
    ['oci:../a:docker.io/a/b:1', { transport: 'layout', path: '../a', tag: 'docker.io/a/b:1' }],
    ['oci-archive:a.tar:v1', { transport: 'oci-archive', path: 'a.tar', tag: 'v1' }],
    ['docker-archive:/a.tar', { transport: 'docker-archive', path: '/a.tar' }],
    [
      'docker-archive:a.tar:team/app:1',
      {
        transport: 'docker-archive',
        path: 'a.tar',
        reference: parseReference('team/app:1'),
      },
    ],
  ])('parses an image name with a transport: %s', (text, expected) => {
    expect(parseImageName(text)).toEqual(expected);
  });

  it.each([
    ['oci:'],
    ['oci::v1'],
    ['oci:folder:'],
    ['oci:fol\u0000der'],
    ['docker-archive:a.tar:NOT A NAME'],
    ['docker-daemon:'],
    ['docker-daemon:NOT A NAME'],
    ['docker://'],
    ['https://ghcr.io/a/b'],
  ])('rejects an image name with a transport: %j', async (text) => {
    expect((await refusalOf(() => parseImageName(text))).code).toBe('CONFIG_INVALID');
  });
});
