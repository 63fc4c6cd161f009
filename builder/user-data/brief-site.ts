import { type Site, siteSchema } from '#contract/site/site.ts';
import { isSameValue } from './same-value.ts';

const defaults: Readonly<Record<string, unknown>> = siteSchema
  .omit({ release: true, admin: true })
  .parse({});

/**
 * Returns a site without fields that equal their default, to keep user-data short. The server reads
 * it with the same schema, which restores the defaults.
 */
export function briefSite(site: Site): Partial<Site> {
  const chosen = Object.entries(site).filter(
    ([name, value]) => !(name in defaults && isSameValue(value, defaults[name])),
  );
  return Object.fromEntries(chosen);
}
