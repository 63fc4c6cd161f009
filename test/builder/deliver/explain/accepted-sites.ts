import fc from 'fast-check';
import { expect } from 'vitest';
import { singBoxTarball } from '#contract/bundle/bundle-paths.ts';
import { componentNames } from '#contract/component-names.ts';
import { LandfallError } from '#contract/errors.ts';
import { asciiJson, briefSite } from '#contract/site/brief-site.ts';
import type { Site } from '#contract/site/site.ts';
import { applyVariables } from '#contract/site/variables.ts';
import { languages, setLanguage } from '#contract/text/language.ts';
import { unprintable } from '#contract/text/plain-line.ts';
import { digestOf } from '#contract/trust/digest.ts';
import { parseSite } from '#explain/parse-site.ts';
import { parseYamlText } from '#yaml/parse.ts';
import type { PinnedRelease } from '../../../../builder/bundle/released/pinned-release.ts';
import { describeExplanation } from '../../../../builder/deliver/explain/describe.ts';
import { explanationJson } from '../../../../builder/deliver/explain/json.ts';
import type { Format } from '../../../../builder/deliver/user-data/providers.ts';
import { makeRelease, tinyFiles } from '../../../simulator/bundle.ts';
import { anySite } from '../../../simulator/site-arbitrary.ts';
import { bothArchitectures } from '../user-data/rendered.ts';
import { explained, honest } from './paste.ts';

/** Returns the site as the builder accepts it; undefined if it rejects it, such as for a placeholder. */
function accepted(site: Site): Site | undefined {
  try {
    const file = parseYamlText(asciiJson(briefSite(applyVariables(site))), 'site.yaml');
    return parseSite(file, { allowRoutePassword: true });
  } catch (error) {
    if (error instanceof LandfallError) return undefined;
    throw error;
  }
}

/** Returns releases with what a site needs. */
function releasesFor(site: Site): PinnedRelease[] {
  const images = componentNames.map((component) => ({
    ...{ component, reference: `docker.io/x/${component}:1`, index: digestOf(component) },
    ...{ manifest: null, config: null, size: null, optional: true },
  }));
  const [first] = tinyFiles;
  const files = [
    ...tinyFiles,
    { path: singBoxTarball, content: first?.content ?? Buffer.alloc(1) },
  ];
  const models = (site.models ?? []).map((name) => ({
    ...({ name, role: 'chat', manifest: null, size: null } as const),
  }));
  return bothArchitectures.map(({ release, manifestSha256 }) => {
    const { files: located } = makeRelease(files);
    return { release: { ...release, images, models, files: located }, manifestSha256 };
  });
}

/** A web terminal has no limit for scripts. */
function written(site: Site, releases: readonly PinnedRelease[], format: Format): Uint8Array {
  try {
    return honest({ site, releases, format });
  } catch (error) {
    if (!(error instanceof LandfallError) || error.code !== 'USER_DATA_TOO_LARGE') throw error;
    return honest({ site, releases, format: 'shell' });
  }
}

const hidden = new RegExp(unprintable.source, 'u');
const acceptedSite = anySite.map(accepted).filter((site) => site !== undefined);

/** Expects no finding for random sites that the builder accepts, in both languages. */
export function expectPlain(format: Format, sites: number): void {
  const check = (site: Site) => {
    const releases = releasesFor(site);
    const explanation = explained(written(site, releases, format), releases);
    expect(explanation.findings).toEqual([]);
    expect(explanation.facts.site).toEqual(site);
    for (const language of languages) {
      setLanguage(language);
      const { facts, sentences } = describeExplanation(explanation);
      expect(hidden.exec(`${facts}${sentences}`.replaceAll('\n', ''))).toBeNull();
    }
    expect(JSON.stringify(explanationJson(explanation))).toMatch(/^{"plain":true,/);
  };
  try {
    fc.assert(fc.property(acceptedSite, check), { numRuns: sites });
  } finally {
    setLanguage('en');
  }
}
