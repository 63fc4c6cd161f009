import { describe, expect, it } from 'vitest';
import { versionsInSbom } from '../../../../builder/diff/releases/packages.ts';
import { sbomOf } from '../../../../builder/sbom/sbom.ts';
import { programWith, sbomInputs } from '../../sbom/inputs.ts';

const encode = (value: unknown) => Buffer.from(JSON.stringify(value));

describe('the versions in an SBOM', () => {
  it('are those of the npm packages and the programs of a build', async () => {
    const program = programWith(
      { name: 'zod', version: '4.0.0' },
      { name: '@a/b', version: '1.0.0' },
    );
    const scripts = new Map([['relay' as const, programWith({ name: 'zod', version: '3.0.0' })]]);
    const versions = versionsInSbom(await sbomOf({ ...sbomInputs(), program, scripts }));
    expect(versions?.packages).toEqual(
      new Map([
        ['@a/b', ['1.0.0']],
        ['zod', ['3.0.0', '4.0.0']],
      ]),
    );
    expect(versions?.programs.get('node')).toBe('24.21.0');
    expect(versions?.programs.get('docker-compose')).toBe('2.40.3');
  });

  it.each([
    ['not JSON', Buffer.from('<bom/>')],
    ['nested too deeply', Buffer.from('['.repeat(1_000_000))],
    ['another format', encode({ spdxVersion: 'SPDX-2.3', components: [] })],
    ['without components', encode({ bomFormat: 'CycloneDX' })],
    ['with a name that is no text', encode({ bomFormat: 'CycloneDX', components: [{ name: 1 }] })],
  ])('are undefined for a file that is %s', (_what, bytes) => {
    expect(versionsInSbom(bytes)).toBeUndefined();
  });
});
