import { Ajv, type ValidateFunction } from 'ajv';
import fc from 'fast-check';
import { beforeAll, describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { LandfallError } from '#contract/errors.ts';
import { renderMihomo } from '#proxies/clash/write.ts';
import { readProxies } from '#proxies/read-proxies.ts';
import { named, readCases } from '../../appliance/shared/proxies/corpus/cases.ts';
import { importCase } from '../../appliance/shared/proxies/corpus/outcome.ts';
import { settingsArbitrary } from '../../appliance/shared/proxies/settings-arbitrary.ts';
import { fuzzRuns } from '../../simulator/fuzz.ts';
import { mihomoSchema } from './schema.ts';

let validate: ValidateFunction;
beforeAll(async () => {
  // The schema has keywords of editors, which Ajv does not support.
  validate = new Ajv({ strict: false, logger: false }).compile(await mihomoSchema());
});

function errorsOf(text: string) {
  validate(parse(text));
  return validate.errors ?? [];
}

describe('the schema of mihomo', () => {
  it('rejects wrong values, so that the next test can fail', () => {
    const link = Buffer.from('trojan://x@hk.example:8443#HK');
    const text = renderMihomo(readProxies(link, { file: 'links' }).settings);
    expect(errorsOf(text)).toEqual([]);
    expect(errorsOf(text.replace('mode: "rule"', 'mode: "rules"'))).not.toEqual([]);
    expect(errorsOf(text.replace('port: 8443', 'port: 88443'))).not.toEqual([]);
  });

  it('accepts the exported configuration of any settings', () => {
    fc.assert(
      fc.property(settingsArbitrary, (settings) => {
        expect(errorsOf(renderMihomo(settings))).toEqual([]);
      }),
      { numRuns: fuzzRuns(200) },
    );
  });

  it.each(named(readCases().filter(({ isImported }) => isImported)))(
    'accepts %s',
    (_name, each) => {
      const found = importCase(each);
      if (found instanceof LandfallError) throw found;
      expect(errorsOf(renderMihomo(found.settings))).toEqual([]);
    },
  );
});
