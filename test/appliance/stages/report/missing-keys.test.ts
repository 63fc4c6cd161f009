import { expect, it } from 'vitest';
import { reportFile } from '#contract/server-paths.ts';
import {
  missingKeysOf,
  updateMissingKeys,
} from '../../../../appliance/stages/report/missing-keys.ts';
import { storedReport } from '../../../../appliance/stages/report/stored-report.ts';
import { setSecret } from '../../../../appliance/stages/secrets/set-secret.ts';
import { contextFor } from '../../context.ts';
import { TemporaryHost } from '../../temporary-host.ts';
import { goodReport } from './fixture.ts';

it('asks for the key of a provider until it is set', async () => {
  const stored = { ...goodReport, missingKeys: ['QWEN_API_KEY'] };
  const host = TemporaryHost.with({ [reportFile.json]: JSON.stringify(stored) });
  const providers = {
    qwen: { base_url: 'https://qwen.example.com/v1' },
    gpu: { base_url: 'http://10.0.0.5:8000/v1', plain: 'i-understand' },
  };
  const { site } = contextFor(host, { site: { providers } });
  expect(await missingKeysOf(host, site)).toEqual(['QWEN_API_KEY']);
  await setSecret(host, 'QWEN_API_KEY', 'sk-1');
  await updateMissingKeys(host, site);
  expect((await storedReport.read(host))?.missingKeys).toEqual([]);
});
