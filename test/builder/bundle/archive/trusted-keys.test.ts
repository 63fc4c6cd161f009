import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { publicKeyPem } from '#contract/trust/keys.ts';
import { trustedKeys } from '../../../../builder/bundle/archive/trusted-keys.ts';
import { someAppliance } from '../../inputs/lock/fixture.ts';
import { testKey } from './fixture.ts';

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'landfall-trust-'));
});
afterEach(() => rm(folder, { recursive: true }));

const signer = testKey();
const other = testKey();
const file = () => join(folder, 'appliance.yaml');

describe('the announced keys of a release', () => {
  it('announces only the signing key, if the appliance lists none', async () => {
    const keys = await trustedKeys(someAppliance({}), file(), signer);
    expect(keys).toEqual({ release: [signer.public], recovery: undefined });
  });

  it('reads the announced keys from files next to the appliance, or from their text', async () => {
    await writeFile(join(folder, 'ci.pub'), publicKeyPem(signer.public));
    const trust = { release: ['ci.pub'], recovery: other.public.spki };
    const keys = await trustedKeys(someAppliance({ trust }), file(), signer);
    expect(keys.release.map(({ id }) => id)).toEqual([signer.public.id]);
    expect(keys.recovery?.id).toBe(other.public.id);
  });

  it('may be signed with the recovery key', async () => {
    const trust = { release: [other.public.spki], recovery: signer.public.spki };
    await expect(trustedKeys(someAppliance({ trust }), file(), signer)).resolves.toBeDefined();
  });

  it('must include the signing key', async () => {
    const trust = { release: [other.public.spki] };
    await expect(trustedKeys(someAppliance({ trust }), file(), signer)).rejects.toMatchObject({
      code: 'CONFIG_INVALID',
      hint: expect.stringContaining('trust.release'),
    });
  });

  it('reports a missing file of an announced key with its name', async () => {
    const trust = { release: ['gone.pub'] };
    await expect(trustedKeys(someAppliance({ trust }), file(), signer)).rejects.toMatchObject({
      code: 'KEY_MISSING',
      message: expect.stringContaining('gone.pub'),
    });
  });
});
