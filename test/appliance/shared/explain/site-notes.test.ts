import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { asciiJson, briefSite, isSameValue, siteDifferences } from '#contract/site/brief-site.ts';
import { checkSite } from '#contract/site/rules.ts';
import { type Site, siteSchema } from '#contract/site/site.ts';
import { commentOf, effectOf, fieldsWithEffect } from '#explain/site-notes.ts';
import { describeChange } from '../../../../appliance/commands/site/diff.ts';
import { secretNames } from '../../../../appliance/stages/secrets/secret-names.ts';
import { renderStack } from '../../../../appliance/stages/stack/render-stack.ts';
import { jsonSchemaOf } from '../../../../builder/inputs/config/json-schemas.ts';
import { fieldsOf } from '../../../../builder/inputs/config/reference/render.ts';
import { fuzzRuns } from '../../../simulator/fuzz.ts';
import { anyChatSite, anyNodeSite, anySite } from '../../../simulator/site-arbitrary.ts';

const composeFile = new URL('../../../../compose/compose.yaml', import.meta.url);
const composed: Record<string, { profiles?: string[] }> = parse(readFileSync(composeFile, 'utf8'), {
  merge: true,
}).services;

/** Returns the settings of each service as Compose reads them, which decide whether it restarts. */
function servicesOf(site: Site): Map<string, string> {
  const secrets = Object.fromEntries(secretNames(site).map(({ name }) => [name, `of ${name}`]));
  const server = { memory: 8e9, cpus: 4, addresses: ['203.0.113.7'], ipv6: 'reachable' } as const;
  const files = renderStack({ site, secrets, server, images: [] });
  const env = files.find(({ path }) => path === '.env')?.content ?? '';
  const variables = new Map(
    [...env.matchAll(/^([A-Z_]+)='?(.*?)'?$/gm)].map(([, name, value]) => [name, value]),
  );
  const profiles = new Set(variables.get('COMPOSE_PROFILES')?.split(','));
  const running = Object.entries(composed).filter(
    ([, service]) => service.profiles?.some((name) => profiles.has(name)) ?? true,
  );
  return new Map(
    running.map(([name, service]) => {
      const text = JSON.stringify(service).replaceAll(
        /\$\{([A-Z_]+)(?::-([^}]*))?\}/g,
        (_whole, variable, standard = '') => variables.get(variable) || standard,
      );
      return [name, text];
    }),
  );
}

/** A site, and the same site with one to three fields of another one of its kind. */
const pairOf = (site: fc.Arbitrary<Site>) =>
  fc
    .tuple(site, site, fc.subarray(Object.keys(siteSchema.shape), { minLength: 1, maxLength: 3 }))
    .map(([site, other, names]) => {
      const values = names.map((name) => [name, other[name as keyof Site]]);
      return [site, { ...site, ...Object.fromEntries(values) }] as const;
    })
    .filter(
      ([, changed]) => siteSchema.safeParse(changed).success && checkSite(changed).length === 0,
    );

describe('the comments of site.yaml', () => {
  it('exist for every section, in both languages', () => {
    for (const section of siteSchema.keyof().options) {
      expect(commentOf(section).en, section).not.toBe('');
      expect(commentOf(section).zh, section).toMatch(/\p{Script=Han}/u);
    }
  });

  it('do not say that updates are never installed, which updates.mode decides', () => {
    const { en, zh } = commentOf('updates');
    expect(en).toContain('mode: install');
    expect(zh).toContain('mode: install');
  });
});

describe('the effects of a changed site', () => {
  it('exist for every field of the schema', () => {
    const fields = fieldsOf(JSON.parse(jsonSchemaOf('site'))).map(({ name }) =>
      name.replaceAll('[]', ''),
    );
    expect(fields.length).toBeGreaterThan(80);
    const isSection = (name: string) => fields.some((field) => field.startsWith(`${name}.`));
    for (const field of fields.filter((name) => !isSection(name))) {
      expect(effectOf(field)).toBeDefined();
    }
    const unknown = fieldsWithEffect.filter(
      (name) => !fields.some((field) => field === name || field.startsWith(`${name}.`)),
    );
    expect(unknown).toEqual([]);
    expect(() => effectOf('constructor')).toThrow('the site has no field');
  });

  it('name every container that restarts, for pairs of any sites', () => {
    fc.assert(
      fc.property(
        fc.oneof(pairOf(anyChatSite), pairOf(anyNodeSite), fc.tuple(anySite, anySite)),
        ([before, after]) => {
          const differences = siteDifferences(JSON.parse(asciiJson(briefSite(before))), after);
          expect(differences.length === 0).toBe(isSameValue(before, after));
          const [old, now] = [servicesOf(before), servicesOf(after)];
          const restarted = [...new Set([...old.keys(), ...now.keys()])].filter(
            (name) => old.get(name) !== now.get(name),
          );
          const effects = differences.map(({ field }) => effectOf(field));
          const named = effects.flatMap(({ restarts }) => restarts);
          const isNew = effects.some(({ instead }) => instead !== undefined);
          expect(isNew ? [] : restarted.filter((name) => !named.includes(name as never))).toEqual(
            [],
          );
          describeChange({
            differences,
            stages: [],
            restarts: restarted,
            interrupted: restarted,
            confirms: true,
          });
        },
      ),
      { numRuns: fuzzRuns(1000) },
    );
  });
});
