import { beforeAll, describe, expect, it } from 'vitest';
import { publicKeyPem } from '#contract/trust/keys.ts';
import { bundleMediaType, sigstoreBundle } from '#contract/trust/sigstore.ts';
import { attestation, makeBundle, statementAbout } from '../../simulator/bundle.ts';
import { headOf } from '../../simulator/head-of.ts';
import { releaseKey, secondKey, signDer, signP1363, strangerKey } from '../../simulator/keys.ts';
import { judge } from '../../simulator/verdict.ts';
import { workFolder } from '../../simulator/work-folder.ts';
import { needs } from '../needs.ts';
import { ToolsOfTrixie } from './tools-of-trixie.ts';

const debian = needs('trixie');
const tools = new ToolsOfTrixie(debian.trixie, await workFolder());
const head = headOf(makeBundle());
const bytesOf = (name: string) => head.get(name) ?? Buffer.alloc(0);
const manifest = bytesOf('release.json');

debian.describe('Debian 13', () => {
  const paths = {
    manifest: '',
    tampered: '',
    signature: '',
    sigstore: '',
    provenance: '',
    key: '',
    otherKey: '',
  };

  beforeAll(async () => {
    const lineBreakMore = Buffer.concat([manifest, Buffer.from('\n')]);
    paths.manifest = await tools.write('release.json', manifest);
    paths.tampered = await tools.write('tampered.json', lineBreakMore);
    paths.signature = await tools.write('release.json.sig', bytesOf('release.json.sig'));
    paths.sigstore = await tools.write('sigstore.json', bytesOf('release.sigstore.json'));
    paths.provenance = await tools.write('provenance.json', bytesOf('provenance.sigstore.json'));
    paths.key = await tools.write('release.pub', publicKeyPem(releaseKey.public));
    paths.otherKey = await tools.write('other.pub', publicKeyPem(secondKey.public));
  });

  describe('cosign verify-blob', () => {
    it('accepts the Sigstore bundle of a release, offline', async () => {
      expect(await tools.signed(paths.key, paths.sigstore, paths.manifest)).toBe(true);
    });

    it('rejects a manifest with an extra line break', async () => {
      expect(await tools.signed(paths.key, paths.sigstore, paths.tampered)).toBe(false);
    });

    it('rejects another key', async () => {
      expect(await tools.signed(paths.otherKey, paths.sigstore, paths.manifest)).toBe(false);
    });

    it("rejects another signer's signature with the key hint of the real one", async () => {
      const forged = sigstoreBundle(manifest, signDer(manifest, strangerKey), releaseKey.public);
      const path = await tools.write('forged.json', Buffer.from(forged));
      expect(await tools.signed(paths.key, path, paths.manifest)).toBe(false);
    });

    it.each([
      ['alone', {}],
      ['behind the media type of the new format', { mediaType: bundleMediaType }],
    ])(
      "rejects a legacy bundle that contains the attacker's key, %s (GHSA-fx35-mq7g-6g98)",
      async (_, fields) => {
        const legacy = JSON.stringify({
          ...fields,
          base64Signature: signDer(manifest, strangerKey).toString('base64'),
          cert: Buffer.from(publicKeyPem(strangerKey.public)).toString('base64'),
        });
        const path = await tools.write('legacy.json', legacy);
        expect(await tools.signed(paths.key, path, paths.manifest)).toBe(false);
        const bundle = makeBundle({ sigstore: () => Buffer.from(legacy) });
        expect(await judge(bundle)).toMatchObject({ rule: 'same-sigstore' });
      },
    );
  });

  describe('cosign verify-blob-attestation', () => {
    it('accepts the provenance of a release, offline', async () => {
      expect(await tools.attested(paths.key, paths.provenance, paths.manifest)).toBe(true);
    });

    it('rejects it for another manifest', async () => {
      expect(await tools.attested(paths.key, paths.provenance, paths.tampered)).toBe(false);
    });

    it('rejects it with another key', async () => {
      expect(await tools.attested(paths.otherKey, paths.provenance, paths.manifest)).toBe(false);
    });

    it("rejects another signer's provenance with the key hint of the real one", async () => {
      const payload = Buffer.from(JSON.stringify(statementAbout(manifest)));
      const forged = attestation(payload, strangerKey, releaseKey);
      const path = await tools.write('forged-provenance.json', forged);
      expect(await tools.attested(paths.key, path, paths.manifest)).toBe(false);
    });
  });

  describe('openssl dgst', () => {
    it('accepts the signature of a release', async () => {
      expect(await tools.digested(paths.key, paths.signature, paths.manifest)).toBe(true);
    });

    it('rejects a manifest with an extra line break', async () => {
      expect(await tools.digested(paths.key, paths.signature, paths.tampered)).toBe(false);
    });

    it('rejects another key', async () => {
      expect(await tools.digested(paths.otherKey, paths.signature, paths.manifest)).toBe(false);
    });

    it('rejects an empty signature', async () => {
      const empty = await tools.write('empty.sig', '');
      expect(await tools.digested(paths.key, empty, paths.manifest)).toBe(false);
    });

    it('rejects a signature in P1363 form, which cosign and Landfall accept', async () => {
      const raw = await tools.write('p1363.sig', signP1363(manifest, releaseKey));
      expect(await tools.digested(paths.key, raw, paths.manifest)).toBe(false);
      expect(await judge(makeBundle({ sign: signP1363 }))).toMatchObject({ rule: 'trusted' });
    });
  });
});
