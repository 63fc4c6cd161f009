import { stringify } from 'yaml';
import { LandfallError } from '#contract/errors.ts';
import { siteFile } from '#contract/server-paths.ts';
import { asciiJson, briefSite, siteDifferences } from '#contract/site/brief-site.ts';
import type { Site } from '#contract/site/site.ts';
import { parseJson } from '#contract/text/json.ts';
import { inLanguage } from '#contract/text/language.ts';
import { nearest } from '#explain/nearest.ts';
import { readText } from '../../server/host/files.ts';
import type { Host } from '../../server/host/host.ts';
import { readSite } from '../../server/load-facts.ts';
import { currentText, readSource, siteName } from './source.ts';

/**
 * Prints the site as it is written, or one field of it with its default. It contains no secrets.
 * @throws LandfallError USAGE for an unknown field
 */
export async function showSite(host: Host, field: string | undefined, json = false): Promise<void> {
  const all = await readSite(host);
  if (field === undefined && !json) return await showText(host, all);
  const value =
    field === undefined ? parseJson((await readText(host, siteFile)) ?? '') : fieldOf(all, field);
  if (json) return console.log(JSON.stringify(value ?? null, null, 2));
  if (value === undefined || value === null) return;
  // A word without quotes, for scripts.
  console.log(typeof value === 'object' ? stringify(value).trimEnd() : String(value));
}

/** Prints site.yaml, and says whether it was edited and not applied. */
async function showText(host: Host, site: Site): Promise<void> {
  console.log((await currentText(host)).trimEnd());
  if (await describesSite(host, site)) return;
  const text = {
    en: `${siteName} was edited and is not applied yet: sudo landfall site apply`,
    zh: `${siteName} 已编辑但尚未应用：sudo landfall site apply`,
  };
  console.error(`\n${inLanguage(text)}`);
}

async function describesSite(host: Host, site: Site): Promise<boolean> {
  const source = await readSource(host, undefined).catch(() => undefined);
  const now = parseJson(asciiJson(briefSite(site)));
  return source !== undefined && siteDifferences(now, source.site).length === 0;
}

/** Returns the value of `hosts.ui` or `alerts[0]`; undefined if it is not set. */
function fieldOf(site: object, field: string): unknown {
  let value: unknown = site;
  for (const name of field.replaceAll(/\[(\d+)\]/g, '.$1').split('.')) {
    if (typeof value !== 'object' || value === null) return undefined;
    if (value === site && !Object.hasOwn(value, name)) throw unknownField(site, name);
    value = Object.hasOwn(value, name) ? (value as Record<string, unknown>)[name] : undefined;
  }
  return value;
}

function unknownField(site: object, name: string): LandfallError {
  const names = Object.keys(site);
  const near = nearest(name, names);
  const shown = JSON.stringify(name.slice(0, 100));
  const message = { en: `the site has no field ${shown}`, zh: `站点没有字段 ${shown}` };
  return new LandfallError('USAGE', inLanguage(message), {
    hint: near
      ? { en: `Did you mean ${near}?`, zh: `您是想写 ${near} 吗？` }
      : {
          en: `Use one of ${names.join(', ')}; \`sudo landfall site fields\` explains them.`,
          zh: `可用：${names.join('、')}；说明见 \`sudo landfall site fields\`。`,
        },
  });
}
