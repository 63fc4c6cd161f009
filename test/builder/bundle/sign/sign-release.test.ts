import { createPrivateKey, verify } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { publicKeyPem, signerOf } from '#contract/trust/keys.ts';
import { generateKey } from '../../../../builder/bundle/sign/generate-key.ts';
import { signDer } from '../../../../builder/bundle/sign/sign-release.ts';
import { run } from '../../../simulator/command.ts';
import { fuzzRuns } from '../../../simulator/fuzz.ts';
import { hasLowS, otherForm } from '../../../simulator/keys.ts';
import { workFolder } from '../../../simulator/work-folder.ts';

const folder = await workFolder();
const pair = generateKey(undefined);
const key = createPrivateKey(pair.privatePem);
const message = Buffer.from('a release\n');
/** About one in 256 has a short r or s, so that every length occurs. */
const signatures = Array.from({ length: fuzzRuns(600) }, () => signDer(message, key));

describe('a signature', () => {
  it('always has the lower s', () => {
    expect(signatures.every(hasLowS)).toBe(true);
  });

  it('creates signatures that Node and the verifier accept', () => {
    const wrong = signatures.filter(
      (signature) =>
        !verify(
          'sha256',
          message,
          { key: publicKeyPem(pair.public), dsaEncoding: 'der' },
          signature,
        ) || !signerOf(message, signature, [pair.public]),
    );
    expect(wrong).toEqual([]);
  });

  it('creates signatures that openssl accepts, with low and high s', async () => {
    const path = (name: string) => join(folder, name);
    await writeFile(path('key.pem'), publicKeyPem(pair.public));
    await writeFile(path('message'), message);
    const lengths = new Map(signatures.map((signature) => [signature.length, signature]));
    for (const signature of [...lengths.values(), otherForm(signatures[0] ?? Buffer.alloc(0))]) {
      await writeFile(path('signature'), signature);
      const check = ['-verify', path('key.pem'), '-signature', path('signature'), path('message')];
      expect(await run('openssl', ['dgst', '-sha256', ...check])).toBe('Verified OK');
    }
  });
});
