import { type Site, siteSchema } from '#contract/site/site.ts';
import { isSameValue } from './same-value.ts';

const defaults: Readonly<Record<string, unknown>> = siteSchema
  .omit({ release: true, admin: true })
  .parse({});

/**
 * A site without the fields that say what they would say anyway. The server reads it with the same
 * schema, which fills them in again; what people paste stays short and shows what they chose.
 */
export function briefSite(site: Site): Partial<Site> {
  const said = Object.entries(site).filter(
    ([name, value]) => !(name in defaults && isSameValue(value, defaults[name])),
  );
  return Object.fromEntries(said);
}
