import type { Site } from '#contract/site/site.ts';
import { parseSite, type SiteOptions } from '#explain/parse-site.ts';
import { readYaml } from './yaml/read.ts';

/**
 * Reads site.yaml.
 * @throws LandfallError SITE_SECRET, CONFIG_INVALID, CONFIG_… for broken YAML
 */
export async function readSite(path: string, options: SiteOptions = {}): Promise<Site> {
  return parseSite(await readYaml(path), options);
}
