import semver from 'semver';
import { z } from 'zod';
import { LandfallError } from '#contract/errors.ts';
import { plainLine } from '#contract/text/plain-line.ts';
import { bodyOf, type PinResult, type PinSources } from './check-pins.ts';
import type { Pin } from './pins.ts';

/** The endpoint of `npm audit`. */
const path = '/-/npm/v1/security/advisories/bulk';

const advisoriesSchema = z.record(
  z.string(),
  z.array(
    z.object({
      title: z.string(),
      url: z.string(),
      severity: z.string(),
      vulnerable_versions: z.string(),
    }),
  ),
);

/**
 * Asks npm for advisories on the pinned packages, with one request. Returns a result for each advisory; a
 * registry without advisories, such as most mirrors, is one that did not answer.
 */
export async function checkAdvisories(
  pins: readonly Pin[],
  { http, npm, timeout }: PinSources,
): Promise<PinResult[]> {
  const packages = pins.flatMap(({ name, version, source }) =>
    source.kind === 'npm' ? [{ name, version, package: source.package }] : [],
  );
  if (packages.length === 0) return [];
  const versions = Object.fromEntries(
    packages.map(({ package: id }) => [
      id,
      packages.filter((each) => each.package === id).map(({ version }) => version),
    ]),
  );
  const host = new URL(npm).host;
  try {
    const response = await http.send({
      ...{ url: new URL(`${npm}${path}`), method: 'POST', timeout },
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(versions),
    });
    const found = advisoriesSchema.parse(JSON.parse(await bodyOf(response)));
    return packages.flatMap(({ name, version, package: id }) =>
      (found[id] ?? [])
        .filter((each) => semver.satisfies(version, each.vulnerable_versions))
        .map(({ severity, title, url }): PinResult => {
          const reason = plainLine(`${severity}: ${title}, ${url}`, 300);
          return { name, pinned: version, state: 'vulnerable', blocks: true, host, reason };
        }),
    );
  } catch (error) {
    const reason = error instanceof LandfallError ? error.message : 'the answer is invalid';
    return [{ name: 'advisories of npm', pinned: '', state: 'not answered', host, reason }];
  }
}
