import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { execa } from 'execa';
import fc from 'fast-check';
import { afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { LandfallError } from '#contract/errors.ts';
import { renderSingBox } from '#proxies/sing-box/write.ts';
import { named, readCases } from '../../appliance/shared/proxies/corpus/cases.ts';
import { importCase } from '../../appliance/shared/proxies/corpus/outcome.ts';
import { settingsArbitrary } from '../../appliance/shared/proxies/settings-arbitrary.ts';
import { fuzzRuns } from '../../simulator/fuzz.ts';
import { installSingBox } from './install.ts';

let program: string;
let folder: string;
beforeAll(async () => {
  program = await installSingBox();
});
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'landfall-sing-box-'));
});
afterEach(() => rm(folder, { recursive: true }));

async function check(text: string) {
  const path = join(folder, 'config.json');
  await writeFile(path, text);
  const { exitCode, stderr } = await execa(program, ['check', '-c', path], { reject: false });
  return { exitCode, stderr };
}

/** The build on PyPI has no uTLS, which REALITY needs too. */
function withoutUtls(text: string): string {
  const config = JSON.parse(text);
  for (const { tls } of config.outbounds) {
    delete tls?.utls;
    delete tls?.reality;
  }
  return JSON.stringify(config);
}

describe('sing-box', () => {
  it('rejects an unknown key, so that the next test can fail', async () => {
    expect(await check('{"gso": true}')).toMatchObject({ exitCode: 1 });
  });

  it('accepts the exported configuration of any settings', async () => {
    // The build on PyPI has no uTLS, which fingerprints and REALITY need.
    const settings = settingsArbitrary.filter((each) => !renderSingBox(each).includes('"utls"'));
    await fc.assert(
      fc.asyncProperty(settings, async (each) => {
        expect(await check(renderSingBox(each))).toMatchObject({ exitCode: 0 });
      }),
      { numRuns: fuzzRuns(40) },
    );
  });

  it.each(named(readCases().filter(({ isImported }) => isImported)))(
    'accepts %s',
    async (_name, each) => {
      const found = importCase(each);
      if (found instanceof LandfallError) throw found;
      expect(await check(withoutUtls(renderSingBox(found.settings)))).toMatchObject({
        exitCode: 0,
      });
    },
  );
});
