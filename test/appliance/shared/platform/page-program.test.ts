import { beforeAll, describe, expect, it } from 'vitest';
import { encodeUtf8 } from '#contract/text/bytes.ts';
import { explainPaste } from '../../../../builder/deliver/explain/explain-paste.ts';
import { renderUserData } from '../../../../builder/deliver/user-data/render.ts';
import { inputsWith } from '../../../builder/deliver/user-data/rendered.ts';
import { makeBundle } from '../../../simulator/bundle.ts';
import { hostileBundles } from '../../../simulator/hostile-bundles.ts';
import { recoveryKey, releaseKey } from '../../../simulator/keys.ts';
import { serverPolicy } from '../../../simulator/verdict.ts';
import { type PageProgram, startPageProgram } from './page-program.ts';

let page: PageProgram;
beforeAll(async () => {
  page = await startPageProgram();
});

/** A download in a page: a stream without Buffers of Node. */
async function* download(bundle: Buffer): AsyncGenerator<Uint8Array> {
  yield new Uint8Array(bundle);
}

const text = (bytes: Uint8Array) => Buffer.from(bytes).toString();

describe('a program in a web page, without Node', () => {
  it('accepts a valid bundle', async () => {
    const { release, signer } = await page.verifyBundle(download(makeBundle()), serverPolicy);
    expect(release.version).toBe('1.2.0');
    expect(signer.role).toBe('release');
  });

  it('rejects every malicious bundle for the same reason as on a server', async () => {
    const wrong: string[] = [];
    for (const { name, bundle, code, rule, policy } of hostileBundles) {
      const verdict = await page
        .verifyBundle(download(bundle()), { ...serverPolicy, ...policy })
        .then(
          () => 'accepted',
          (error: { code?: string; rule?: string }) => `${error.code} ${error.rule}`,
        );
      if (verdict !== `${code} ${rule}`) wrong.push(`${name}: ${verdict}`);
    }
    expect(wrong).toEqual([]);
    expect(hostileBundles.length).toBeGreaterThan(300);
  });

  it.each(['cloud-config', 'multipart'] as const)('renders the same user-data: %s', (format) => {
    const inputs = inputsWith({ format });
    expect(text(page.renderUserData(inputs).bytes)).toBe(text(renderUserData(inputs).bytes));
  });

  it('does not support gzip', () => {
    const inputs = inputsWith({ format: 'gzip' });
    const unavailable = 'gzip is not available in a web page';
    expect(() => page.renderUserData(inputs)).toThrow(unavailable);
    const options = { file: 'user-data', releases: inputs.releases };
    expect(() => page.explainPaste(renderUserData(inputs).bytes, options)).toThrow(unavailable);
  });

  it.each(['cloud-config', 'multipart', 'shell'] as const)(
    'explains user-data as Node does: %s',
    (format) => {
      const inputs = inputsWith({ format });
      const { bytes } = renderUserData(inputs);
      const options = { file: 'user-data', releases: inputs.releases };
      expect(JSON.stringify(page.explainPaste(bytes, options).findings)).toBe('[]');
      const changed = encodeUtf8(text(bytes).replace('umask 022\n', 'umask 023\n'));
      const explanation = page.explainPaste(changed, options);
      expect(JSON.stringify(explanation)).toBe(JSON.stringify(explainPaste(changed, options)));
      expect(page.describeExplanation(explanation).sentences).toContain('umask 023');
    },
  );

  it('reads keys and returns the same IDs', () => {
    for (const { public: key } of [releaseKey, recoveryKey]) {
      expect(page.readPublicKey(key.spki).id).toBe(key.id);
    }
  });

  it('reports every problem of a site with its position', () => {
    const yaml = page.parseYaml(encodeUtf8('release: []\nadmin: {ssh_keys: [x]}\n'), 'site.yaml');
    const positions: unknown[] = [];
    try {
      page.parseSite(yaml);
    } catch (error) {
      const { problems } = error as { problems: Array<{ line: number; column: number }> };
      positions.push(...problems.map(({ line, column }) => [line, column]));
    }
    expect(JSON.stringify(positions)).toBe('[[1,10],[2,20]]');
  });
});
